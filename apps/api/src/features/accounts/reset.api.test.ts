import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandsOf } from '../../testing/commands-of.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, logIn, newAddresses, signUp, testPassword } from '../../testing/people.ts'
import { defaultAccountLimits } from './limits.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi({ hearsQueries: true })
})
afterAll(() => app.stop())

const newPassword = 'a lamp in every window 3'
const forgot = (body: object) => app.http.post('/api/v1/user/forgot-password').send(body)
const reset = (body: object) => app.http.post('/api/v1/user/reset-password').send(body)
const check = (token: string) => app.http.get('/api/v1/users/verify-reset-token').query({ token })
const tokenOf = (text: string): string => /token=([\w-]+)/.exec(text)?.[1] ?? ''

test('a mailed code sets a new password and ends every session', async () => {
  const person = await signUp(app)
  const other = await logIn(app, person.email)
  const sent = await forgot({ email: person.email }).expect(200)
  expect(sent.body.message).toBe('OTP sent to your registered email/phone.')
  const otp = await app.takeCode(person.email)
  const answer = await reset({ otp, newPassword, email: person.email }).expect(200)
  expect(answer.body.message).toBe('Password reset successfully. You can now login.')
  for (const session of [person, other]) {
    await app.http
      .get('/api/v1/user/account')
      .set(...bearer(session))
      .expect(401)
    await app.http.post('/api/v1/user/refresh-token').send({ refreshToken: session.refreshToken }).expect(401)
  }
  await app.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword }).expect(401)
  await logIn(app, person.email, newPassword)
  expect((await app.takeMessage(person.email)).subject).toContain('password was changed')
})

test('a link for an address that the account no longer has is invalid before a password is typed', async () => {
  const person = await signUp(app)
  await forgot({ email: person.email }).expect(200)
  const token = tokenOf((await app.takeMessage(person.email)).text)
  await check(token).expect(200)
  await app.call('PATCH', `/users/${person.id}`, app.person('admin'), { email: newAddresses().email })
  const message = 'This link is invalid or has expired. Please ask for a new one.'
  expect((await check(token).expect(400)).body).toMatchObject({ code: 'CODE_INVALID', message })
  expect((await reset({ token, newPassword }).expect(400)).body).toMatchObject({ code: 'CODE_INVALID', message })
})

test('a link together with an address or code is refused, and stays valid', async () => {
  const [person, other] = [await signUp(app), await signUp(app)]
  await forgot({ email: person.email }).expect(200)
  const token = tokenOf((await app.takeMessage(person.email)).text)
  for (const [field, value] of Object.entries({ email: other.email, phone: other.phone, otp: '123456' })) {
    const refused = await reset({ token, newPassword, [field]: value }).expect(400)
    expect(refused.body).toMatchObject({ code: 'VALIDATION', errors: [{ path: 'token' }] })
  }
  await reset({ token, newPassword }).expect(200)
  await logIn(app, person.email, newPassword)
})

test('a code by text message does the same', async () => {
  const person = await signUp(app)
  await forgot({ phone: person.phone }).expect(200)
  const message = await app.takeMessage(person.phone)
  expect(message.kind).toBe('sms')
  const otp = /\d{6}/.exec(message.text)?.[0]
  await reset({ otp, newPassword, phone: person.phone }).expect(200)
  await logIn(app, person.email, newPassword)
})

test('a link can be checked any number of times, and sets a password once', async () => {
  const person = await signUp(app)
  await forgot({ email: person.email }).expect(200)
  const { text, html = '' } = await app.takeMessage(person.email)
  const token = tokenOf(text)
  expect(text).toContain(`http://batti.test/verify/forgot-password?token=${token}`)
  expect(html).toContain(token)
  await check(token).expect(200)
  await check(token).expect(200)
  await reset({ token, newPassword }).expect(200)
  await check(token).expect(400)
  const again = await reset({ token, newPassword: 'yet another word 4' }).expect(400)
  expect(again.body.message).toMatch(/invalid.*expired/)
  await logIn(app, person.email, newPassword)
})

test('using the code invalidates the link, and using the link the code', async () => {
  const person = await signUp(app)
  await forgot({ email: person.email })
  const { text } = await app.takeMessage(person.email)
  const otp = /\d{6}/.exec(text)?.[0]
  await reset({ otp, newPassword, email: person.email }).expect(200)
  await check(tokenOf(text)).expect(400)
  await reset({ otp, newPassword, email: person.email }).expect(400)
})

test('a new password ends a code that was sent to the other address of the account', async () => {
  const { email, phone } = await signUp(app)
  await forgot({ phone }).expect(200)
  const byText = await app.takeCode(phone)
  await forgot({ email }).expect(200)
  await reset({ email, otp: await app.takeCode(email), newPassword }).expect(200)
  await reset({ phone, otp: byText, newPassword: 'yet another word 4' }).expect(400)
})

test('a link that was mailed before the password was changed no longer sets one', async () => {
  const person = await signUp(app)
  await forgot({ email: person.email }).expect(200)
  const { text } = await app.takeMessage(person.email)
  await app.http
    .patch('/api/v1/user/change-password')
    .set(...bearer(person))
    .send({ oldPassword: testPassword, newPassword })
    .expect(200)
  await check(tokenOf(text)).expect(400)
  await reset({ token: tokenOf(text), newPassword: 'yet another word 4' }).expect(400)
  await reset({ otp: /\d{6}/.exec(text)?.[0], email: person.email, newPassword: 'yet another word 4' }).expect(400)
  await logIn(app, person.email, newPassword)
})

test('an unknown address and number get the same answer as known ones, also when asked again too early', async () => {
  const person = await signUp(app)
  const withoutId = ({ text }: { text: string }) => text.replace(/"requestId":"[^"]+"/, '')
  const known = await forgot({ email: person.email }).expect(200)
  const unknown = await forgot({ email: newAddresses().email }).expect(200)
  expect(unknown.text).toBe(known.text)
  const knownPhone = await forgot({ phone: person.phone }).expect(200)
  const unknownPhone = await forgot({ phone: `+977${newAddresses().phone}` }).expect(200)
  expect(unknownPhone.text).toBe(knownPhone.text)

  const { email } = newAddresses()
  await forgot({ email }).expect(200)
  const early = [await forgot({ email }), await forgot({ email: person.email })]
  for (const answer of early) {
    expect(answer.status).toBe(429)
    expect(answer.body.message).toMatch(/after \d+ seconds/)
  }
  expect(await app.messages(email)).toEqual([])
  const wrong = await reset({ otp: '000000', newPassword, email }).expect(400)
  await app.takeMessage(person.email)
  const wrongKnown = await reset({ otp: '0000000', newPassword, email: person.email }).expect(400)
  expect(withoutId(wrong)).toBe(withoutId(wrongKnown))
})

test('an unknown address costs the same database commands as a known one', async () => {
  const person = await signUp(app)
  const { email, phone } = newAddresses()
  const workOf = async (body: object) => {
    const sent = await commandsOf(app, () => forgot(body).expect(200))
    return sent.map(({ commandName, command }) => `${command[commandName]}.${commandName}`)
  }
  const known = await workOf({ email: person.email })
  expect(known.length).toBeGreaterThan(1)
  expect(await workOf({ email })).toEqual(known)
  const knownPhone = await workOf({ phone: person.phone })
  expect(knownPhone.length).toBeGreaterThan(1)
  expect(await workOf({ phone })).toEqual(knownPhone)
})

test('five wrong codes end a code, and its link stays valid', async () => {
  const person = await signUp(app)
  await forgot({ email: person.email })
  const { text } = await app.takeMessage(person.email)
  const otp = /\d{6}/.exec(text)?.[0] ?? ''
  const wrong = otp === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) await reset({ otp: wrong, newPassword, email: person.email }).expect(400)
  await reset({ otp, newPassword, email: person.email }).expect(400)
  await reset({ token: tokenOf(text), newPassword }).expect(200)
})

test('code and link expire after ten minutes, and a new code replaces the old one', async () => {
  const person = await signUp(app)
  await forgot({ email: person.email })
  const first = (await app.takeMessage(person.email)).text
  app.clock.advance(60_000)
  await forgot({ email: person.email }).expect(200)
  const second = (await app.takeMessage(person.email)).text
  const [oldCode, newCode] = [/\d{6}/.exec(first)?.[0], /\d{6}/.exec(second)?.[0]]
  if (oldCode !== newCode) await reset({ otp: oldCode, newPassword, email: person.email }).expect(400)
  await check(tokenOf(first)).expect(400)
  app.clock.advance(10 * 60_000 + 1)
  await reset({ otp: newCode, newPassword, email: person.email }).expect(400)
  await check(tokenOf(second)).expect(400)
})

test('a code is valid only for its own address, account and purpose', async () => {
  const [one, other] = [await signUp(app), await signUp(app)]
  await forgot({ email: one.email })
  const { text } = await app.takeMessage(one.email)
  const otp = /\d{6}/.exec(text)?.[0]
  await reset({ otp, newPassword, email: other.email }).expect(400)
  await reset({ otp, newPassword, phone: one.phone }).expect(400)
  await app.http
    .post('/api/v1/user/verify-phone')
    .set(...bearer(one))
    .send({ otp })
    .expect(400)
  await app.http
    .post('/api/v1/user/verify-email')
    .set(...bearer(one))
    .send({ otp })
    .expect(400)
  await app.http
    .get('/api/v1/users/verify-email')
    .query({ token: tokenOf(text) })
    .expect(400)
  await app.http
    .get('/api/v1/users/verify-phone')
    .query({ token: tokenOf(text) })
    .expect(400)
  await reset({ otp, newPassword, email: one.email }).expect(200)
})

test.each([
  ['whose address is another by now', { loginEmail: 'moved@example.com', loginEmailKey: 'moved@example.com' }],
  ['that is being deleted', { deletingAt: new Date() }]
])('a code cannot set a password of an account %s', async (_what, change) => {
  const person = await signUp(app)
  await forgot({ email: person.email }).expect(200)
  const otp = await app.takeCode(person.email)
  const users = app.connection.model('User')
  const before = await users.findByIdAndUpdate(person.id, change).lean<{ passwordHash: string }>()
  await reset({ otp, newPassword, email: person.email }).expect(400)
  expect(await users.findById(person.id).lean()).toMatchObject({ passwordHash: before?.passwordHash })
})

test.each([true, false])('a mailed code shows its address, one by text does not: by mail %s', async (isByMail) => {
  const person = await signUp(app)
  const users = app.connection.model('User')
  await users.updateOne({ _id: person.id }, { loginEmailVerified: false })
  const to = isByMail ? { email: person.email } : { phone: person.phone }
  await forgot(to).expect(200)
  const otp = /\d{6}/.exec((await app.takeMessage(isByMail ? person.email : person.phone)).text)?.[0]
  await reset({ otp, newPassword, ...to }).expect(200)
  expect(await users.findById(person.id).lean()).toMatchObject({ loginEmailVerified: isByMail })
})

test('a weak password does not use up the code', async () => {
  const person = await signUp(app)
  await forgot({ email: person.email })
  const otp = await app.takeCode(person.email)
  await reset({ otp, newPassword: 'password123', email: person.email }).expect(400)
  await reset({ otp, newPassword: 'short', email: person.email }).expect(400)
  await reset({ otp, newPassword, email: person.email }).expect(200)
})

test.each([
  [{ newPassword }],
  [{ otp: '123456', newPassword }],
  [{ otp: '123456', newPassword, email: 'a@example.com', phone: '+9779812345678' }],
  [{ otp: { $ne: 1 }, newPassword, email: 'a@example.com' }],
  [{ otp: '123456', email: 'a@example.com' }]
])('a reset with %j is refused as a whole', async (body) => {
  expect((await reset(body).expect(400)).body.code).toBe('VALIDATION')
})

test.each([{}, { email: 'no address' }, { phone: '12' }, { email: 'a@example.com', phone: '+9779812345678' }])(
  'a forgotten password with %j is refused',
  async (body) => {
    await forgot(body).expect(400)
  }
)

test('a text message never goes to a premium-rate number', async () => {
  const person = await signUp(app, { countryCode: '+1', phone: '8765551234' })
  await forgot({ phone: person.phone }).expect(200)
  await app.http
    .post('/api/v1/user/request-phone-verification')
    .set(...bearer(person))
    .expect(400)
  expect(await app.messages(person.phone)).toEqual([])
})

test('text messages are limited by number, by address and by day', async () => {
  const { textsPerNumber, textsPerIp, textsPerDay } = defaultAccountLimits
  // Windows of different keys start at different moments; none of these ends while the test moves its clock.
  const windowMs = 100 * 365 * 86_400_000
  const limited = await startApi({
    accountLimits: {
      textsPerNumber: { ...textsPerNumber, windowMs },
      textsPerIp: { ...textsPerIp, points: 12, windowMs },
      textsPerDay: { ...textsPerDay, points: 9, windowMs }
    }
  })
  const person = await signUp(limited)
  const ask = (phone: string) => limited.http.post('/api/v1/user/forgot-password').send({ phone })
  const answers: number[] = []
  for (let tries = 0; tries < 7; tries += 1) {
    answers.push((await ask(person.phone)).status)
    limited.clock.advance(61_000)
  }
  expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429])
  const statuses: number[] = []
  for (let tries = 0; tries < 8; tries += 1) statuses.push((await ask(`+977${newAddresses().phone}`)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(4)
  expect(statuses.at(-1)).toBe(429)
  expect(limited.logged()).toContain('the daily limit is reached')
  await limited.stop()
})

test('a right code does not count as wrong when the database is unavailable', async () => {
  const { wrongCodesPerIp } = defaultAccountLimits
  const strict = await startApi({ accountLimits: { wrongCodesPerIp } })
  try {
    const person = await signUp(strict)
    await strict.http.post('/api/v1/user/forgot-password').send({ email: person.email }).expect(200)
    const otp = await strict.takeCode(person.email)
    const attempt = () =>
      strict.http.post('/api/v1/user/reset-password').send({ otp, newPassword, email: person.email })
    const codes = Object.values(strict.connection.models).find(({ collection }) => collection.name === 'one_time_codes')
    if (codes === undefined) throw new Error('no model of codes')
    const away = vi.spyOn(codes, 'findOneAndUpdate').mockImplementation(() => {
      throw new Error('the database went away')
    })
    for (let each = 0; each <= wrongCodesPerIp.points; each += 1) await attempt().expect(500)
    away.mockRestore()
    await attempt().expect(200)
  } finally {
    await strict.stop()
  }
})
