import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, logIn, newAddresses, signUp, signUpAdmin, type Person, testPassword } from '../../testing/people.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

const post = (person: { accessToken: string }, path: string, body: object = {}) =>
  app.http
    .post(`/api/v1/user/${path}`)
    .set(...bearer(person))
    .send(body)
const change = (person: { accessToken: string }, body: object) =>
  app.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .send(body)
const me = async (person: { accessToken: string }) =>
  (
    await app.http
      .get('/api/v1/user/account')
      .set(...bearer(person))
      .expect(200)
  ).body.data
const login = (body: object) => app.http.post('/api/v1/user/login').send({ password: testPassword, ...body })
const tokenOf = (text: string): string => /token=([\w-]+)/.exec(text)?.[1] ?? ''

async function verifyPhone(person: Person): Promise<void> {
  await post(person, 'request-phone-verification').expect(200)
  await post(person, 'verify-phone', { otp: await app.takeCode(person.phone) }).expect(200)
}

test('a phone is verified by the code of a text message', async () => {
  const person = await signUp(app)
  await verifyPhone(person)
  expect(await me(person)).toMatchObject({ phone: person.phone, phoneVerification: true })
  const again = await post(person, 'request-phone-verification').expect(409)
  expect(again.body.message).toContain('verified already')
})

test('a phone is verified by the link of the text message, once', async () => {
  const person = await signUp(app)
  await post(person, 'request-phone-verification').expect(200)
  const token = tokenOf((await app.takeMessage(person.phone)).text)
  await app.http.get('/api/v1/users/verify-phone').query({ token }).expect(200)
  expect((await me(person)).phoneVerification).toBe(true)
  const again = await app.http.get('/api/v1/users/verify-phone').query({ token }).expect(400)
  expect(again.body.message).toMatch(/invalid.*expired/)
})

test('an address that is verified by its link is announced to the open screens of the account', async () => {
  const person = await signUp(app)
  await post(person, 'request-phone-verification').expect(200)
  const number = tokenOf((await app.takeMessage(person.phone)).text)
  const { email } = newAddresses()
  await change(person, { email }).expect(200)
  await post(person, 'request-email-verification').expect(200)
  const mailed = tokenOf((await app.takeMessage(email)).text)
  const changed: string[] = []
  const off = app.events.on('account-changed', ({ userId }) => void changed.push(userId))
  await app.http.get('/api/v1/users/verify-phone').query({ token: number }).expect(200)
  await app.http.get('/api/v1/users/verify-email').query({ token: mailed }).expect(200)
  off()
  expect(changed).toEqual([person.id, person.id])
})

test('a changed e-mail is unverified; the old one logs in and gets notices until the new one is verified', async () => {
  const person = await signUp(app)
  const { email } = newAddresses()
  const changed = await change(person, { email: email.toUpperCase() }).expect(200)
  expect(changed.body.data).toMatchObject({ email, emailVerification: false })
  const note = await app.takeMessage(person.email)
  expect(note.subject).toContain('email of your Batti account was changed')
  expect(note.text).toContain(`shows ${email}. Until that address is verified, ${person.email} keeps logging you in.`)
  await login({ email: person.email }).expect(200)
  await login({ email }).expect(401)
  await app.http.post('/api/v1/user/forgot-password').send({ email }).expect(200)
  expect(await app.messages(email)).toEqual([])

  await post(person, 'request-email-verification').expect(200)
  await post(person, 'verify-email', { otp: await app.takeCode(email) }).expect(200)
  expect(await me(person)).toMatchObject({ email, emailVerification: true })
  await login({ email }).expect(200)
  await login({ email: person.email }).expect(401)
})

test('a notice about a number says which one logs in: the previous verified one, or none', async () => {
  const person = await signUp(app)
  await verifyPhone(person)
  const { phone } = newAddresses()
  await change(person, { phone: `+977${phone}` }).expect(200)
  const changed = await app.takeMessage(person.email)
  expect(changed.text).toContain(`number +977${phone}. Until it is verified, ${person.phone} keeps logging you in.`)
  await change(person, { phone: '' }).expect(200)
  expect((await app.takeMessage(person.email)).text).toContain('no phone number any more')
  await login({ phone: person.phone }).expect(401)
})

test('an e-mail is verified by the link of the mail, once', async () => {
  const person = await signUp(app)
  const { email } = newAddresses()
  await change(person, { email })
  await post(person, 'request-email-verification').expect(200)
  const token = tokenOf((await app.takeMessage(email)).text)
  await app.http.get('/api/v1/users/verify-email').query({ token }).expect(200)
  expect((await me(person)).emailVerification).toBe(true)
  await app.http.get('/api/v1/users/verify-email').query({ token }).expect(400)
})

test('a link of one kind cannot be used for another, and none works without its token', async () => {
  const person = await signUp(app)
  await post(person, 'request-phone-verification').expect(200)
  const token = tokenOf((await app.takeMessage(person.phone)).text)
  await app.http.get('/api/v1/users/verify-email').query({ token }).expect(400)
  await app.http.get('/api/v1/users/verify-reset-token').query({ token }).expect(400)
  await app.http.post('/api/v1/user/reset-password').send({ token, newPassword: 'some new words 5' }).expect(400)
  for (const path of ['verify-email', 'verify-phone', 'verify-reset-token']) {
    await app.http.get(`/api/v1/users/${path}`).expect(400)
    await app.http.get(`/api/v1/users/${path}`).query({ token: 'x' }).expect(400)
  }
  await app.http.get('/api/v1/users/verify-phone').query({ token }).expect(200)
  expect(app.logged()).not.toContain(token)
})

test('a second code within a minute answers 429 with Retry-After; a minute later the new code replaces the old', async () => {
  const person = await signUp(app)
  await post(person, 'request-phone-verification').expect(200)
  const first = await app.takeCode(person.phone)
  app.clock.advance(18_000)
  const early = await post(person, 'request-phone-verification').expect(429)
  expect(early.body.message).toBe('Please try again after 42 seconds.')
  expect(early.headers['retry-after']).toBe('42')
  app.clock.advance(42_000)
  await post(person, 'request-phone-verification').expect(200)
  const second = await app.takeCode(person.phone)
  if (first !== second) await post(person, 'verify-phone', { otp: first }).expect(400)
  await post(person, 'verify-phone', { otp: second }).expect(200)
})

test('a code stored by a clock that was hours ahead delays no other', async () => {
  app.clock.step(6 * 3_600_000)
  const person = await signUp(app)
  await post(person, 'request-phone-verification').expect(200)
  app.clock.step(-6 * 3_600_000)
  const ahead = await app.takeCode(person.phone)
  await post(person, 'request-phone-verification').expect(200)
  const now = await app.takeCode(person.phone)
  if (ahead !== now) await post(person, 'verify-phone', { otp: ahead }).expect(400)
  await post(person, 'verify-phone', { otp: now }).expect(200)
})

test('five wrong codes end a code, ten minutes do too, and both are reported in the specified words', async () => {
  const person = await signUp(app)
  await post(person, 'request-phone-verification')
  const otp = await app.takeCode(person.phone)
  const wrong = otp === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await post(person, 'verify-phone', { otp: wrong }).expect(400)
    expect(answer.body).toMatchObject({ code: 'CODE_INVALID', message: expect.stringMatching(/invalid.*expired/) })
  }
  await post(person, 'verify-phone', { otp }).expect(400)
  app.clock.advance(60_000)
  await post(person, 'request-phone-verification').expect(200)
  const late = await app.takeCode(person.phone)
  app.clock.advance(10 * 60_000 + 1)
  await post(person, 'verify-phone', { otp: late }).expect(400)
  expect((await me(person)).phoneVerification).toBe(false)
})

test('nobody can verify with another account’s code, nor a phone with the code of an e-mail', async () => {
  const [one, other] = [await signUp(app), await signUp(app)]
  await post(one, 'request-phone-verification')
  await post(other, 'request-phone-verification')
  const [codeOne, codeOther] = [await app.takeCode(one.phone), await app.takeCode(other.phone)]
  if (codeOne !== codeOther) await post(other, 'verify-phone', { otp: codeOne }).expect(400)
  await post(one, 'verify-email', { otp: codeOne }).expect(400)
  await post(one, 'verify-phone', { otp: codeOne }).expect(200)
  await post(one, 'verify-phone', { otp: codeOne }).expect(400)
})

test('a code becomes invalid when the number that it was sent to is changed', async () => {
  const person = await signUp(app)
  await post(person, 'request-phone-verification')
  const otp = await app.takeCode(person.phone)
  await change(person, { phone: newAddresses().phone }).expect(200)
  await post(person, 'verify-phone', { otp }).expect(400)
})

test('a code becomes invalid when the e-mail that it was sent to is changed', async () => {
  const person = await signUp(app)
  const [first, second] = [newAddresses().email, newAddresses().email]
  await change(person, { email: first }).expect(200)
  await post(person, 'request-email-verification').expect(200)
  const otp = await app.takeCode(first)
  await change(person, { email: second }).expect(200)
  await post(person, 'verify-email', { otp }).expect(400)
  expect(await me(person)).toMatchObject({ email: second, emailVerification: false })
})

test('verifying a number takes it from accounts that had not verified it, and notifies them', async () => {
  const first = await signUp(app)
  const second = await signUp(app, { phone: first.phone.slice(4) })
  expect((await login({ phone: first.phone }).expect(200)).body.user._id).toBe(first.id)
  // Notices go to the address that is verified, not to one that was only typed.
  await change(first, { email: newAddresses().email }).expect(200)
  await app.takeMessage(first.email)
  const received: string[] = []
  const offs = (['user-notified', 'account-changed'] as const).map((event) =>
    app.events.on(event, ({ userId }) => void received.push(`${event} ${userId}`))
  )
  await verifyPhone(second)
  for (const off of offs) off()
  expect((await login({ phone: first.phone }).expect(200)).body.user._id).toBe(second.id)
  expect(await me(first)).toMatchObject({ phone: null, phoneVerification: false })
  const told = ['account-changed', 'user-notified'].map((event) => `${event} ${first.id}`)
  expect(received).toEqual([`account-changed ${second.id}`, ...told])
  const notice = await app.takeMessage(first.email)
  expect(notice).toMatchObject({
    subject: expect.stringContaining('phone number left'),
    text: expect.stringContaining(`verified the number ${first.phone}`)
  })
  const { data } = await app.call('GET', `/audit-logs?target=${first.id}`, app.person('admin'))
  expect(data.logs.filter(({ actor }: { actor: { _id: string } }) => actor._id === second.id)).toMatchObject([
    { action: 'user.change-phone', changes: [{ field: 'phone', before: first.phone, after: null }] }
  ])
})

test('a verified number cannot be taken over', async () => {
  const owner = await signUp(app)
  await verifyPhone(owner)
  const other = await signUp(app, { phone: owner.phone.slice(4) })
  await post(other, 'request-phone-verification').expect(200)
  const otp = await app.takeCode(owner.phone)
  await post(other, 'verify-phone', { otp }).expect(409)
  expect((await login({ phone: owner.phone }).expect(200)).body.user._id).toBe(owner.id)
})

test('a changed number is unverified; the old verified one logs in and gets reset codes until the new one is verified', async () => {
  const person = await signUp(app)
  await verifyPhone(person)
  const { phone } = newAddresses()
  const changed = await change(person, { phone }).expect(200)
  expect(changed.body.data).toMatchObject({ phone: `+977${phone}`, phoneVerification: false })
  expect((await app.takeMessage(person.email)).subject).toContain('phone of your Batti account')
  await login({ phone: person.phone }).expect(200)
  await login({ phone: `+977${phone}` }).expect(401)
  await app.http.post('/api/v1/user/forgot-password').send({ phone: person.phone }).expect(200)
  await app.takeCode(person.phone)
  await verifyPhone({ ...person, phone: `+977${phone}` })
  await login({ phone: `+977${phone}` }).expect(200)
  await login({ phone: person.phone }).expect(401)
})

test('an admin can set the number that the account has verified, while it shows another', async () => {
  const person = await signUp(app)
  await verifyPhone(person)
  await change(person, { phone: newAddresses().phone }).expect(200)
  const back = await app.call('PATCH', `/users/${person.id}`, app.person('admin'), { phone: person.phone })
  expect(back).toMatchObject({ statusCode: 200, data: { phone: person.phone, phoneVerification: true } })
})

test('changing back to the verified address needs no new code', async () => {
  const person = await signUp(app)
  await change(person, { email: newAddresses().email }).expect(200)
  const back = await change(person, { email: person.email }).expect(200)
  expect(back.body.data.emailVerification).toBe(true)
})

test('requesting to verify an address of another account notifies its owner, and reveals nothing', async () => {
  const owner = await signUp(app)
  const asker = await signUp(app)
  await change(owner, { email: newAddresses().email }).expect(200)
  await app.takeMessage(owner.email)
  await change(asker, { email: owner.email }).expect(200)
  const answer = await post(asker, 'request-email-verification').expect(200)
  expect(answer.body.message).toBe('A code is on its way to your email.')
  const note = await app.takeMessage(owner.email)
  expect(note.subject).toContain('belongs to a Batti account')
  expect(note.text).not.toMatch(/\b\d{6}\b/)
  expect((await login({ email: owner.email }).expect(200)).body.user._id).toBe(owner.id)
})

test('of two accounts that verify one new address at once, one gets it', async () => {
  const { email } = newAddresses()
  const people = [await signUp(app), await signUp(app)]
  const tokens: string[] = []
  for (const person of people) {
    await change(person, { email }).expect(200)
    await post(person, 'request-email-verification').expect(200)
    tokens.push(tokenOf((await app.takeMessage(email)).text))
  }
  const answers = await Promise.all(tokens.map((token) => app.http.get('/api/v1/users/verify-email').query({ token })))
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
})

test('an account without a phone is told to add one, and all four calls require a login', async () => {
  const admin = await signUpAdmin(app)
  const answer = await post(admin, 'request-phone-verification').expect(400)
  expect(answer.body.message).toContain('phone number')
  for (const path of ['request-email-verification', 'request-phone-verification', 'verify-email', 'verify-phone']) {
    await app.http.post(`/api/v1/user/${path}`).send({ otp: '123456' }).expect(401)
  }
})

test('when the gateway is down the call says so, and the next try need not wait', async () => {
  let isUp = false
  const sent: string[] = []
  const flaky = await startApi({
    smsSender: {
      send: async ({ text }) => {
        if (!isUp) throw new Error('gateway down')
        sent.push(text)
      }
    }
  })
  const person = await signUp(flaky)
  const ask = () => flaky.http.post('/api/v1/user/request-phone-verification').set(...bearer(person))
  const down = await ask().expect(503)
  expect(down.body.message).toContain('try again after')
  expect(down.headers['retry-after']).toBeDefined()
  // Known and unknown numbers get the same answer while it is down.
  await flaky.http.post('/api/v1/user/forgot-password').send({ phone: '+9779800000001' }).expect(503)
  isUp = true
  await ask().expect(200)
  expect(sent).toHaveLength(1)
  await flaky.stop()
})

test('when mail is down, sign-up and reset say so before any look-up, and recover by themselves', async () => {
  let isUp = true
  const sent: string[] = []
  const flaky = await startApi({
    env: { DEV_OUTBOX: '0' },
    mailSender: {
      send: async ({ to }) => {
        if (!isUp) throw new Error('provider down')
        sent.push(to)
      },
      check: async () => {
        if (!isUp) throw new Error('provider down')
      },
      close: () => undefined
    }
  })
  await flaky.accounts.firstAdmin.create({ email: 'known@example.com', password: testPassword })
  isUp = false
  for (const email of ['known@example.com', 'unknown@example.com']) {
    const answer = await flaky.http.post('/api/v1/user/forgot-password').send({ email }).expect(503)
    expect(answer.body).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('try again after') })
  }
  isUp = true
  flaky.clock.advance(10_000)
  await flaky.http.post('/api/v1/user/forgot-password').send({ email: 'known@example.com' }).expect(200)
  await expect.poll(() => sent).toEqual(['known@example.com'])
  await flaky.stop()
})

test('login still works for a user whose other sessions verified something', async () => {
  const person = await signUp(app)
  await verifyPhone(person)
  expect((await logIn(app, person.email)).user.phoneVerification).toBe(true)
})
