import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, logIn, signUp, testPassword } from '../../testing/people.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi({ env: { CORS_ORIGINS: 'https://app.batti.test' } })
})
afterAll(() => app.stop())

const refresh = (refreshToken: string) => app.http.post('/api/v1/user/refresh-token').send({ refreshToken })
const account = (person: { accessToken: string }) => app.http.get('/api/v1/user/account').set(...bearer(person))
const idOf = ({ refreshToken }: { refreshToken: string }) => refreshToken.split('.')[0] ?? ''
/** The sessions whose screens are told that they have ended. */
const endedSessions = () => {
  const ended: string[] = []
  const off = app.events.on('session-ended', ({ sessionId }) => void ended.push(sessionId))
  return { ended, off }
}

test('a refresh token is exchanged for a new pair, and the old access token stays valid until it expires', async () => {
  const person = await signUp(app)
  const answer = await refresh(person.refreshToken).expect(200)
  expect(Object.keys(answer.body.data).toSorted()).toEqual(['accessToken', 'refreshToken'])
  expect(answer.body.accessToken).toBe(answer.body.data.accessToken)
  expect(answer.body.data.refreshToken).not.toBe(person.refreshToken)
  await account(answer.body.data).expect(200)
  await account(person).expect(200)
})

test('two tabs that send the same token at once get the same successor', async () => {
  const person = await signUp(app)
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(person.refreshToken).expect(200)))
  expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
  const again = await refresh(person.refreshToken).expect(200)
  expect(again.body.refreshToken).toBe(answers[0]?.body.refreshToken)
  await refresh(again.body.refreshToken).expect(200)
})

test('within ten seconds a rotated token still returns its successor, even when that was rotated too', async () => {
  const person = await signUp(app)
  const first = (await refresh(person.refreshToken).expect(200)).body.refreshToken
  app.clock.advance(3000)
  const second = (await refresh(first).expect(200)).body.refreshToken
  app.clock.advance(6000)
  expect((await refresh(person.refreshToken).expect(200)).body.refreshToken).toBe(first)
  expect((await refresh(first).expect(200)).body.refreshToken).toBe(second)
})

test('a rotated token that is used after eleven seconds ends the family, notifies the owner and is logged', async () => {
  const person = await signUp(app)
  const other = await logIn(app, person.email)
  const { ended, off } = endedSessions()
  const next = (await refresh(person.refreshToken).expect(200)).body
  app.clock.advance(11_000)
  await refresh(person.refreshToken).expect(401)
  await refresh(next.refreshToken).expect(401)
  await account(next).expect(401)
  await account(person).expect(401)
  off()
  expect(ended).toEqual([idOf(person)])
  expect((await app.takeMessage(person.email)).subject).toContain('We ended a Batti session')
  expect(app.logged()).toContain('"security":"refresh-token-reused"')
  // Another login is another family.
  await account(other).expect(200)
})

test('a token that was rotated long ago ends the family too if another has just been rotated', async () => {
  const person = await signUp(app)
  const first = (await refresh(person.refreshToken).expect(200)).body
  app.clock.advance(60_000)
  const second = (await refresh(first.refreshToken).expect(200)).body
  await refresh(person.refreshToken).expect(401)
  await account(second).expect(401)
  await refresh(second.refreshToken).expect(401)
})

test('a token that was spent long ago ends the family too where the clock has been set back since', async () => {
  const person = await signUp(app)
  const next = (await refresh(person.refreshToken).expect(200)).body
  app.clock.advance(60_000)
  app.clock.step(-3_600_000)
  await refresh(person.refreshToken).expect(401)
  await refresh(next.refreshToken).expect(401)
  app.clock.step(3_600_000)
})

test('a session of an account that is gone cannot be renewed', async () => {
  const person = await signUp(app)
  await app.connection.collection('users').deleteOne({ email: person.email })
  await refresh(person.refreshToken).expect(401)
})

test('a forged token of another user’s session ends nothing', async () => {
  const person = await signUp(app)
  const [sessionId, , mac] = person.refreshToken.split('.')
  for (const forged of [
    `${sessionId}.${'A'.repeat(43)}.${mac}`,
    `${sessionId}.x.y`,
    `${sessionId}`,
    '',
    'garbage',
    'a'.repeat(2000)
  ]) {
    await refresh(forged).expect(401)
  }
  await account(person).expect(200)
  await refresh(person.refreshToken).expect(200)
})

test('a session ends thirty days after login, however often it was renewed', async () => {
  const person = await signUp(app)
  let token = person.refreshToken
  let last = person.accessToken
  for (let day = 0; day < 29; day += 1) {
    app.clock.advance(24 * 3_600_000)
    const { body } = await refresh(token).expect(200)
    token = body.refreshToken
    last = body.accessToken
  }
  app.clock.advance(24 * 3_600_000 - 60_000)
  const { body } = await refresh(token).expect(200)
  ;[token, last] = [body.refreshToken, body.accessToken]
  app.clock.advance(60_001)
  await account({ accessToken: last }).expect(401)
  await refresh(token).expect(401)
  const again = await logIn(app, person.email)
  const { body: list } = await app.http
    .get('/api/v1/user/sessions')
    .set(...bearer(again))
    .expect(200)
  expect(list.data.sessions).toMatchObject([{ current: true }])
})

test('logout ends the session at once and always answers 200', async () => {
  const person = await signUp(app)
  const { ended, off } = endedSessions()
  await app.http
    .post('/api/v1/user/logout')
    .set(...bearer(person))
    .send({ refreshToken: person.refreshToken })
    .expect(200)
  off()
  expect(ended).toEqual([idOf(person)])
  await account(person).expect(401)
  await refresh(person.refreshToken).expect(401)
  await app.http
    .post('/api/v1/user/logout')
    .set(...bearer(person))
    .send({ refreshToken: person.refreshToken })
    .expect(200)
  for (const body of [{}, { refreshToken: 'garbage' }, { refreshToken: 12 }]) {
    await app.http.post('/api/v1/user/logout').send(body).expect(200)
  }
  await app.http.post('/api/v1/user/logout').set('authorization', 'Bearer garbage').expect(200)
})

test('logout needs only one of the tokens, and the access token may be expired', async () => {
  const byRefresh = await signUp(app)
  await app.http.post('/api/v1/user/logout').send({ refreshToken: byRefresh.refreshToken }).expect(200)
  await account(byRefresh).expect(401)
  const byBearer = await signUp(app)
  app.clock.advance(20 * 60_000)
  await app.http
    .post('/api/v1/user/logout')
    .set(...bearer(byBearer))
    .expect(200)
  await refresh(byBearer.refreshToken).expect(401)
})

test('users see their sessions and can end one, but never another user’s', async () => {
  const person = await signUp(app)
  const stranger = await signUp(app)
  const other = await app.http
    .post('/api/v1/user/login')
    .set('user-agent', 'Batti for Android')
    .send({ email: person.email, password: testPassword })
    .expect(200)
  const list = (
    await app.http
      .get('/api/v1/user/sessions')
      .set(...bearer(person))
      .expect(200)
  ).body.data.sessions
  expect(list).toHaveLength(2)
  const android = list.find(({ userAgent }: { userAgent: string }) => userAgent === 'Batti for Android')
  expect(android).toMatchObject({ current: false, ip: '127.0.0.1' })
  expect(list.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)

  const { ended, off } = endedSessions()
  await app.http
    .delete(`/api/v1/user/sessions/${android.id}`)
    .set(...bearer(stranger))
    .expect(404)
  expect(ended).toEqual([])
  await account(other.body).expect(200)
  await app.http
    .delete(`/api/v1/user/sessions/${android.id}`)
    .set(...bearer(person))
    .expect(200)
  off()
  expect(ended).toEqual([android.id])
  await account(other.body).expect(401)
  await app.http
    .delete(`/api/v1/user/sessions/${android.id}`)
    .set(...bearer(person))
    .expect(404)
  await app.http
    .delete('/api/v1/user/sessions/not-an-id')
    .set(...bearer(person))
    .expect(400)
  await account(person).expect(200)
})

test('an account has at most a hundred sessions: the one used longest ago ends', async () => {
  const person = await signUp(app)
  const oldest = await logIn(app, person.email)
  for (let index = 0; index < 100; index += 1) {
    app.clock.advance(1000)
    await logIn(app, person.email)
  }
  await account(oldest).expect(401)
  await refresh(oldest.refreshToken).expect(401)
  const newest = await logIn(app, person.email)
  const list = await app.http
    .get('/api/v1/user/sessions')
    .set(...bearer(newest))
    .expect(200)
  expect(list.body.sessions).toHaveLength(100)
})

test('the program that a log-in names is listed without control characters', async () => {
  const person = await signUp(app)
  const { body } = await app.http
    .post('/api/v1/user/login')
    .set('user-agent', 'curl\u0085/\u009b31m8')
    .send({ email: person.email, password: testPassword })
    .expect(200)
  const list = await app.http.get('/api/v1/user/sessions').set(...bearer(body.data))
  const current = list.body.data.sessions.find((session: { current: boolean }) => session.current)
  // Each byte of a header is read as one character.
  expect(current.userAgent).toBe('curlÂ/Â31m8')
})
