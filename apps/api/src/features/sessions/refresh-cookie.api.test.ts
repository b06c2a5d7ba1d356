import supertest from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, signUp, testPassword, type Person } from '../../testing/people.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi({ env: { CORS_ORIGINS: 'https://app.batti.test' } })
})
afterAll(() => app.stop())

const account = (person: { accessToken: string }) => app.http.get('/api/v1/user/account').set(...bearer(person))
const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  String((answer.headers['set-cookie'] as string[])[0])

test('the refresh token is also a cookie that scripts cannot read and that is sent to the account calls only', async () => {
  const person = await signUp(app)
  const answer = await app.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword })
  const cookie = cookieOf(answer)
  expect(cookie).toContain(`batti_refresh=${answer.body.refreshToken}`)
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/api/v1/user']) expect(cookie).toContain(part)
  expect(cookie).not.toContain('Secure')
})

async function withCookie(person: Person) {
  const agent = supertest.agent(app.server)
  await agent.post('/api/v1/user/login').send({ email: person.email, password: testPassword }).expect(200)
  return agent
}

test('the cookie renews a session for our own pages only', async () => {
  const person = await signUp(app)
  const agent = await withCookie(person)
  await agent.post('/api/v1/user/refresh-token').expect(403)
  for (const origin of ['https://evil.example', 'null', 'http://batti.test.evil.example', 'https://batti.test']) {
    await agent.post('/api/v1/user/refresh-token').set('origin', origin).expect(403)
  }
  await agent.post('/api/v1/user/refresh-token').set('origin', 'https://app.batti.test').expect(200)
  const renewed = await agent.post('/api/v1/user/refresh-token').set('origin', 'http://batti.test').expect(200)
  expect(cookieOf(renewed)).toContain(`batti_refresh=${renewed.body.refreshToken}`)
})

test('a form on another site can neither use, set nor remove the cookie', async () => {
  const person = await signUp(app)
  const agent = await withCookie(person)
  await agent.post('/api/v1/user/logout').set('origin', 'https://evil.example').expect(403)
  const kept = await agent
    .get('/api/v1/user/sessions')
    .set(...bearer(person))
    .expect(200)
  expect(kept.body.data.sessions).toHaveLength(2)

  const login = await app.http
    .post('/api/v1/user/login')
    .set('origin', 'https://evil.example')
    .type('form')
    .send({ email: person.email, password: testPassword })
    .expect(200)
  expect(login.headers['set-cookie']).toBeUndefined()

  const logout = await app.http
    .post('/api/v1/user/logout')
    .set('origin', 'https://evil.example')
    .type('form')
    .send({ refreshToken: 'x' })
    .expect(200)
  expect(logout.headers['set-cookie']).toBeUndefined()
})

test('logout with the cookie from our own page ends its session and removes the cookie', async () => {
  const person = await signUp(app)
  const agent = await withCookie(person)
  const answer = await agent.post('/api/v1/user/logout').set('origin', 'http://batti.test').expect(200)
  // A browser removes a cookie of the same path only.
  expect(cookieOf(answer)).toMatch(/batti_refresh=; Path=\/api\/v1\/user;.*1970/)
  expect(answer.headers['clear-site-data']).toBe('"cache"')
  await account(person).expect(200)
  expect((await app.http.get('/api/v1/user/sessions').set(...bearer(person))).body.data.sessions).toHaveLength(1)
})

test('a page of another site that logs out its visitor does not end the session of a cookie', async () => {
  const [person, visitor] = [await signUp(app), await signUp(app)]
  const agent = await withCookie(person)
  const logout = await agent
    .post('/api/v1/user/logout')
    .set('origin', 'https://evil.example')
    .set(...bearer(visitor))
    .expect(200)
  expect(logout.headers['set-cookie']).toBeUndefined()
  await account(visitor).expect(401)
  expect((await app.http.get('/api/v1/user/sessions').set(...bearer(person))).body.data.sessions).toHaveLength(2)
})

test('another port of the same machine is another page', async () => {
  const agent = await withCookie(await signUp(app))
  const ask = (origin: string) =>
    agent.post('/api/v1/user/refresh-token').set('host', '127.0.0.1:49998').set('origin', origin)
  await ask('http://127.0.0.1:5173').expect(403)
  await ask('http://127.0.0.1').expect(403)
  await ask('http://127.0.0.1:49998').expect(200)
})

test('of two cookies none is accepted: another host of the same domain can have set the first', async () => {
  const [person, other] = [await signUp(app), await signUp(app)]
  const cookie = `batti_refresh=${other.refreshToken}; batti_refresh=${person.refreshToken}`
  const ask = (path: string) => app.http.post(path).set('origin', 'http://batti.test').set('cookie', cookie)
  await ask('/api/v1/user/refresh-token').expect(401)
  await ask('/api/v1/user/logout').expect(200)
  for (const each of [person, other]) await account(each).expect(200)
})

test('a cookie alone is never a login on another site', async () => {
  const person = await signUp(app)
  const agent = await withCookie(person)
  await agent.get('/api/v1/user/account').set('origin', 'http://batti.test').expect(401)
})

test('over https the cookie is Secure', async () => {
  const secure = await startApi({ env: { PUBLIC_URL: 'https://batti.test' } })
  const person = await signUp(secure)
  const answer = await secure.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword })
  expect(cookieOf(answer)).toContain('Secure')
  await secure.stop()
})

test('behind a proxy the page is that of the host and the scheme that were asked for', async () => {
  const proxied = await startApi({ env: { TRUST_PROXY: '127.0.0.1', ALLOWED_HOSTS: 'home.example' } })
  const { email } = await signUp(proxied)
  const agent = supertest.agent(proxied.server)
  const ask = (path: string, body = {}) =>
    agent
      .post(path)
      .set({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'home.example', origin: 'https://home.example' })
      .send(body)
  const login = await ask('/api/v1/user/login', { email, password: testPassword }).expect(200)
  expect(cookieOf(login)).toContain('Secure')
  await ask('/api/v1/user/refresh-token').set('cookie', `batti_refresh=${login.body.refreshToken}`).expect(200)
  await proxied.stop()
})

test('a stranger is not believed which host and scheme were asked for', async () => {
  const { email, refreshToken } = await signUp(app)
  const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }
  const login = await app.http.post('/api/v1/user/login').set(forged).send({ email, password: testPassword })
  expect(cookieOf(login)).not.toContain('Secure')
  await app.http
    .post('/api/v1/user/refresh-token')
    .set({ ...forged, origin: 'https://evil.example', cookie: `batti_refresh=${refreshToken}` })
    .expect(403)
})
