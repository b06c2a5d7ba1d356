import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, logIn, newAddresses, signUp, testPassword, type Person } from '../../testing/people.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

const day = 86_400_000
const theirs = 'the thief was here 55'
const post = (path: string, body: object) => app.http.post(`/api/v1/user/${path}`).send(body)
const update = (person: { accessToken: string }, body: object) =>
  app.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .send(body)
const verify = async (person: { accessToken: string }, kind: 'email' | 'phone', to: string) => {
  await app.http
    .post(`/api/v1/user/request-${kind}-verification`)
    .set(...bearer(person))
    .expect(200)
  const otp = await app.takeCode(to)
  await app.http
    .post(`/api/v1/user/verify-${kind}`)
    .set(...bearer(person))
    .send({ otp })
    .expect(200)
}
const undoTokenIn = (text: string) => /reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? ''

/** An attacker with the open session changes the account's e-mail to their own. */
async function move(person: Person): Promise<{ email: string; undo: string }> {
  const { email } = newAddresses()
  await update(person, { email }).expect(200)
  const notice = await app.takeMessage(person.email)
  await verify(person, 'email', email)
  return { email, undo: undoTokenIn(notice.text) }
}

describe('after a change of address', () => {
  test('an account stored by an early version is protected like any other', async () => {
    const person = await signUp(app)
    await app.connection.collection('users').updateOne({ email: person.email }, { $unset: { resetGuard: 1 } })
    await post('forgot-password', { email: person.email }).expect(200)
    await app.takeCode(person.email)
    const { undo } = await move(person)
    await post('reset-password', { token: undo, newPassword: 'a lamp in every window 4' }).expect(200)
    await logIn(app, person.email, 'a lamp in every window 4')
  })

  test('reset codes go to the previous address for seven days, whichever is requested', async () => {
    const person = await signUp(app)
    const { email } = await move(person)
    for (const asked of [email, person.email]) {
      const before = (await app.messages(email)).length
      await post('forgot-password', { email: asked }).expect(200)
      const otp = await app.takeCode(person.email)
      expect(await app.messages(email)).toHaveLength(before)
      await post('reset-password', { email: asked, otp, newPassword: `the owner is back ${asked.length}` }).expect(200)
      app.clock.advance(61_000)
    }
    app.clock.advance(7 * day)
    await post('forgot-password', { email }).expect(200)
    await post('reset-password', { email, otp: await app.takeCode(email), newPassword: theirs }).expect(200)
    const received = async () => [await app.messages(person.email), await app.messages(email)]
    const before = await received()
    await post('forgot-password', { email: person.email }).expect(200)
    expect(await received()).toEqual(before)
  })

  test('a code is not sent to an added number either', async () => {
    const person = await signUp(app)
    const { phone } = newAddresses()
    await update(person, { phone }).expect(200)
    await app.takeMessage(person.email)
    await verify(person, 'phone', `+977${phone}`)
    const texts = (await app.messages(`+977${phone}`)).length
    await post('forgot-password', { phone: `+977${phone}` }).expect(200)
    expect(await app.takeCode(person.email)).toMatch(/^\d{6}$/)
    expect(await app.messages(`+977${phone}`)).toHaveLength(texts)
  })

  test('a second change does not end the protection of the first', async () => {
    const person = await signUp(app)
    const first = await move(person)
    const second = newAddresses().email
    await update(person, { email: second }).expect(200)
    await app.takeMessage(person.email)
    await verify(person, 'email', second)
    await post('forgot-password', { email: second }).expect(200)
    expect(await app.takeCode(person.email)).toMatch(/^\d{6}$/)
    expect((await app.messages(first.email)).filter(({ subject }) => subject.includes('password'))).toEqual([])
  })

  test('the link in the mail to the old address restores it with a new password, whatever happened since', async () => {
    const person = await signUp(app)
    const { email, undo } = await move(person)
    await app.http
      .patch('/api/v1/user/change-password')
      .set(...bearer(person))
      .send({ oldPassword: testPassword, newPassword: theirs })
      .expect(200)
    const thief = await logIn(app, email, theirs)
    app.clock.advance(6 * day)
    await app.http.get(`/api/v1/users/verify-reset-token?token=${undo}`).expect(200)
    await post('reset-password', { token: undo, newPassword: 'mine again and for ever 1' }).expect(200)
    await app.http
      .get('/api/v1/user/account')
      .set(...bearer(thief))
      .expect(401)
    await post('login', { email, password: theirs }).expect(401)
    const { user } = await logIn(app, person.email, 'mine again and for ever 1')
    expect(user).toMatchObject({ email: person.email, emailVerification: true, phone: null })
    await post('reset-password', { token: undo, newPassword: theirs }).expect(400)
  })

  test('the link is valid for seven days', async () => {
    const person = await signUp(app)
    const { undo } = await move(person)
    app.clock.advance(7 * day)
    await post('reset-password', { token: undo, newPassword: theirs }).expect(400)
  })

  test('an admin who changes the address ends the link, also for later changes by the owner', async () => {
    const person = await signUp(app)
    const { undo } = await move(person)
    const { email, phone } = newAddresses()
    await app.call('PATCH', `/users/${person.user._id}`, app.person('admin'), { email })
    await verify(person, 'email', email)
    await update(person, { phone }).expect(200)
    await post('reset-password', { token: undo, newPassword: theirs }).expect(400)
  })
})

test('a verified number stays with its owner, who is told that another account has used a code sent to it', async () => {
  const owner = await signUp(app)
  await verify(owner, 'phone', owner.phone)
  await update(owner, { email: newAddresses().email }).expect(200)
  await app.takeMessage(owner.email)
  const other = await signUp(app)
  await update(other, { phone: owner.phone }).expect(200)
  await app.http
    .post('/api/v1/user/request-phone-verification')
    .set(...bearer(other))
    .expect(200)
  const otp = await app.takeCode(owner.phone)
  await app.http
    .post('/api/v1/user/verify-phone')
    .set(...bearer(other))
    .send({ otp })
    .expect(409)
  // To the verified address, not to the one that was only typed.
  const { text } = await app.takeMessage(owner.email)
  expect(text).toContain(`a code that we sent to ${owner.phone}`)
  expect(text).toContain('were refused')
})

test('a code that was not sent because of a limit does not invalidate the one that was', async () => {
  const limited = await startApi({
    accountLimits: { mailCodesPerReceiver: { name: 'mail-to', points: 1, windowMs: 36_500 * day } }
  })
  const person = await signUp(limited)
  await limited.http.post('/api/v1/user/forgot-password').send({ email: person.email }).expect(200)
  const otp = await limited.takeCode(person.email)
  limited.clock.advance(61_000)
  await limited.http.post('/api/v1/user/forgot-password').send({ email: person.email }).expect(429)
  const body = { email: person.email, otp, newPassword: 'a lamp in every window 3' }
  await limited.http.post('/api/v1/user/reset-password').send(body).expect(200)
  await limited.stop()
})
