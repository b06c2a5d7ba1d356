import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '../../../testing/test-api.ts'
import { bearer, logIn, newAddresses, signUp, testPassword } from '../../../testing/people.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

const form = (fields: Record<string, string> = {}) => {
  const { email, phone } = newAddresses()
  return { name: 'Sita Sharma', email, phone, password: testPassword, address: 'Lakeside, Pokhara', ...fields }
}
const register = (fields: Record<string, string>) => app.http.post('/api/v1/user/register').field(fields)
const verify = (otp: string, registrationToken: string) =>
  app.http.post('/api/v1/user/verify-registration').send({ otp, registrationToken })

test('a new user signs up, reads the code in the mail, and logs in by e-mail and by phone', async () => {
  const fields = form()
  const registered = await register(fields).expect(201)
  expect(registered.body).toMatchObject({
    statusCode: 201,
    success: true,
    message: 'Signup successful! Check your email to verify.'
  })
  expect(registered.body.registrationToken).toBe(registered.body.data.registrationToken)
  await app.http.post('/api/v1/user/login').send({ email: fields.email, password: testPassword }).expect(401)

  const verified = await verify(await app.takeCode(fields.email), registered.body.data.registrationToken).expect(200)
  expect(verified.body.message).toBe('Email verified successfully!')

  const person = await logIn(app, fields.email)
  expect(person.user).toMatchObject({
    name: 'Sita Sharma',
    email: fields.email,
    phone: `+977${fields.phone}`,
    role: 'user',
    emailVerification: true,
    phoneVerification: false,
    profileImage: null
  })
  for (const phone of [`+977${fields.phone}`, `977${fields.phone}`]) {
    const answer = await app.http.post('/api/v1/user/login').send({ phone, password: testPassword }).expect(200)
    expect(answer.body.data.user._id).toBe(person.id)
  }
  const account = await app.http
    .get('/api/v1/user/account')
    .set(...bearer(person))
    .expect(200)
  expect(account.body.data).toEqual(person.user)
  expect(account.body.email).toBeUndefined()
})

test.each([
  ['name', ''],
  ['email', 'sita.example.com'],
  ['email', 'sita@example'],
  ['phone', '12345'],
  ['phone', '98123456789'],
  ['password', 'short7!'],
  ['password', 'x'.repeat(257)],
  ['address', ' '],
  ['countryCode', '+86'],
  ['registrationToken', 'short enough to be guessed'],
  ['name', 'Sita\r\nBcc: everybody@example.com']
])('a sign-up with %s of %j is refused naming the field, and nothing is mailed', async (field, value) => {
  const fields = form({ [field]: value })
  const answer = await register(fields).expect(400)
  expect(answer.body.code).toBe('VALIDATION')
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toContain(field)
  expect(await app.messages(fields.email)).toEqual([])
})

test.each(['name', 'email', 'phone', 'password', 'address'])(
  'a sign-up without %s is refused naming the field',
  async (field) => {
    const { [field]: _missing, ...rest } = form() as Record<string, string>
    const answer = await register(rest).expect(400)
    expect(answer.body.errors[0]).toEqual({ path: field, message: 'is required' })
  }
)

test.each(['password123', 'PASSWORD123', 'qwertyuiop', 'aaaaaaaaaa', '1234567890'])(
  'the common password %s is refused',
  async (password) => {
    const answer = await register(form({ password })).expect(400)
    const sentence = 'This password is too easy to guess. Choose one that nobody would try first.'
    expect(answer.body).toMatchObject({ message: sentence, errors: [{ path: 'password', message: sentence }] })
  }
)

test.each([
  ['phone', '12345', 'Phone number must be exactly 10 digits.'],
  ['email', 'sita@example', 'Please enter an email such as sita@example.com.'],
  ['password', 'short7!', 'Password must be at least 8 characters.']
])('the error for %s is a whole sentence, because screens show it unchanged', async (field, value, sentence) => {
  const answer = await register(form({ [field]: value })).expect(400)
  expect(answer.body).toMatchObject({ message: sentence, errors: [{ path: field, message: sentence }] })
})

test.each([
  ['/user/verify-registration', { otp: '123456' }, 'Missing registration token. Please sign up again.'],
  ['/user/login', { password: testPassword }, 'Email or Phone is Required !'],
  ['/user/forgot-password', {}, 'Please enter your email or phone.']
])('%s without saying for whom answers with the sentence of the screens', async (path, body, sentence) => {
  const answer = await app.http.post(`/api/v1${path}`).send(body).expect(400)
  expect(answer.body).toMatchObject({ code: 'VALIDATION', message: sentence })
})

test("one's own e-mail is refused as a password", async () => {
  const { email } = newAddresses()
  await register(form({ email, password: email.toUpperCase() })).expect(400)
})

test.each(['role', 'emailVerification', '_id', 'createdAt', 'permissions'])(
  'a sign-up cannot set %s',
  async (field) => {
    const answer = await register(form({ [field]: 'admin' })).expect(400)
    expect(answer.body.errors[0].path).toBe(field)
  }
)

test('a field named __proto__ is refused, and the next account is a normal user', async () => {
  await app.http
    .post('/api/v1/user/register')
    .field(form())
    .field('__proto__', JSON.stringify({ role: 'admin' }))
    .expect(400)
  await app.http
    .post('/api/v1/user/verify-registration')
    .set('content-type', 'application/json')
    .send('{"otp":"123456","registrationToken":"x","__proto__":{"role":"admin"}}')
    .expect(400)
  expect((await signUp(app)).user.role).toBe('user')
})

test('five wrong codes end a registration: the right one is refused then', async () => {
  const fields = form()
  const { registrationToken } = (await register(fields)).body.data
  const code = await app.takeCode(fields.email)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await verify(wrong, registrationToken).expect(400)
    expect(answer.body.code).toBe('CODE_INVALID')
    expect(answer.body.message).toMatch(/invalid.*expired.*Check its digits, or sign up again/)
  }
  await verify(code, registrationToken).expect(400)
  await app.http.post('/api/v1/user/login').send({ email: fields.email, password: testPassword }).expect(401)
})

test('a thousand concurrent guesses count as five', async () => {
  const fields = form()
  const { registrationToken } = (await register(fields)).body.data
  const code = await app.takeCode(fields.email)
  const guesses = Array.from({ length: 40 }, (_, index) => String(index).padStart(6, '0')).filter(
    (guess) => guess !== code
  )
  await Promise.all(guesses.map((guess) => verify(guess, registrationToken).expect(400)))
  await verify(code, registrationToken).expect(400)
})

test('a code is valid for ten minutes and once', async () => {
  const late = form()
  const { registrationToken } = (await register(late)).body.data
  const code = await app.takeCode(late.email)
  app.clock.advance(10 * 60_000 + 1)
  await verify(code, registrationToken).expect(400)

  const fields = form()
  const token = (await register(fields)).body.data.registrationToken
  const good = await app.takeCode(fields.email)
  app.clock.advance(10 * 60_000 - 5000)
  await verify(good, token).expect(200)
  await verify(good, token).expect(400)
})

test('the code of one sign-up does not finish another', async () => {
  const [one, other] = [form(), form()]
  const first = (await register(one)).body.data.registrationToken
  const second = (await register(other)).body.data.registrationToken
  const [codeOne, codeOther] = [await app.takeCode(one.email), await app.takeCode(other.email)]
  if (codeOne !== codeOther) await verify(codeOne, second).expect(400)
  await verify(codeOne, first).expect(200)
  await verify(codeOther, second).expect(200)
})

test('a client that signs up again within a minute must wait; then the new sign-up replaces the old', async () => {
  const fields = form()
  const old = (await register(fields)).body.data.registrationToken
  const oldCode = await app.takeCode(fields.email)
  const early = await register(fields).expect(429)
  expect(early.body.message).toMatch(/after \d+ seconds/)
  expect(Number(early.headers['retry-after'])).toBeGreaterThan(0)

  app.clock.advance(60_000)
  const fresh = (await register({ ...fields, name: 'Sita Rai' }).expect(201)).body.data.registrationToken
  const freshCode = await app.takeCode(fields.email)
  await verify(oldCode, old).expect(400)
  await verify(freshCode, fresh).expect(200)
  expect((await logIn(app, fields.email)).user.name).toBe('Sita Rai')
})

test('a client that sends its own token can continue with the code although the answer was lost', async () => {
  const registrationToken = 'a1'.repeat(32)
  const fields = form({ registrationToken })
  expect((await register(fields).expect(201)).body.data).toEqual({ registrationToken })
  await register(fields).expect(429)
  await verify(await app.takeCode(fields.email), registrationToken).expect(200)
  await logIn(app, fields.email)
})

test('a sign-up stored by a clock that was hours ahead delays no other', async () => {
  const fields = form()
  app.clock.step(6 * 3_600_000)
  await register(fields).expect(201)
  app.clock.step(-6 * 3_600_000)
  await app.takeCode(fields.email)
  const { registrationToken } = (await register(fields).expect(201)).body.data
  await verify(await app.takeCode(fields.email), registrationToken).expect(200)
})

test('another client with the same e-mail within a minute gets 201, no mail, and a useless token', async () => {
  const fields = form()
  const mine = (await register(fields)).body.data.registrationToken
  const code = await app.takeCode(fields.email)
  const other = await register({ ...fields, name: 'Mallory' })
    .set('user-agent', 'somebody else')
    .expect(201)
  expect(other.body.data.registrationToken).toHaveLength(mine.length)
  expect(await app.messages(fields.email)).toHaveLength(1)
  await verify(code, other.body.data.registrationToken).expect(400)
  const registrationToken = 'b2'.repeat(32)
  await register({ ...fields, registrationToken })
    .set('user-agent', 'somebody else')
    .expect(201)
  await verify(code, registrationToken).expect(400)
  await verify(code, mine).expect(200)
  expect((await logIn(app, fields.email)).user.name).toBe('Sita Sharma')
})

test('an e-mail with an account gets the same answer as a new one, and its owner gets a notice instead of a code', async () => {
  const person = await signUp(app)
  const again = await register(form({ email: person.email })).expect(201)
  const fresh = await register(form()).expect(201)
  expect(Object.keys(again.body)).toEqual(Object.keys(fresh.body))
  expect(again.body.message).toBe(fresh.body.message)
  const note = await app.takeMessage(person.email)
  expect(note.subject).toContain('already have')
  expect(note.text).not.toMatch(/\d{6}/)
  await verify('123456', again.body.data.registrationToken).expect(400)
})

test('a guessed code of a sign-up for an e-mail with an account neither creates nor changes one', async () => {
  const person = await signUp(app)
  const registrationToken = 'c3'.repeat(32)
  const fields = form({ registrationToken })
  await register(fields).expect(201)
  const guessed = await app.takeCode(fields.email)
  await register({ ...fields, email: person.email, password: 'the password of Mallory 3' }).expect(201)
  const registrations = app.connection.collection('registrations')
  const known = await registrations.findOneAndDelete({ email: fields.email })
  await registrations.updateOne({ email: person.email }, { $set: { codeHash: known?.['codeHash'] } })
  expect((await verify(guessed, registrationToken).expect(400)).body.code).toBe('CODE_INVALID')
  expect((await logIn(app, person.email)).id).toBe(person.id)
  expect(await app.connection.collection('users').countDocuments({ loginEmail: person.email })).toBe(1)
})

test('spellings of one address in other cases, widths and scripts of the domain are one account', async () => {
  const { email } = newAddresses()
  const person = await signUp(app, { email: email.replace('example.com', 'bücher.example') })
  const variants = [
    person.email.toUpperCase(),
    person.email.replace('bücher', 'xn--bcher-kva'),
    person.email.replace('p', 'ｐ')
  ]
  for (const variant of variants) {
    const answer = await app.http.post('/api/v1/user/login').send({ email: variant, password: testPassword })
    expect(answer.body.data?.user._id, variant).toBe(person.id)
    await register(form({ email: variant })).expect(201)
    expect((await app.takeMessage(person.email)).subject).toContain('already have')
    app.clock.advance(60_000)
  }
})

test('a number that is in use signs up like a new one, and logs in whoever verified it', async () => {
  const first = await signUp(app)
  const second = await signUp(app, { phone: first.phone.slice(4) })
  const answer = await app.http
    .post('/api/v1/user/login')
    .send({ phone: first.phone, password: testPassword })
    .expect(200)
  expect(answer.body.data.user._id).toBe(first.id)
  expect(second.user.phone).toBe(first.phone)
})

test('the mail is in the language of the sign-up, has text and HTML, and nothing that the user typed', async () => {
  const fields = form({ language: 'ne', name: '<img src=x onerror=alert(1)>' })
  await register(fields).expect(201)
  const { subject, text, html = '', to } = await app.takeMessage(fields.email)
  expect(to).toBe(fields.email)
  expect(subject).toContain('कोड')
  expect(text).toMatch(/\d{6}/)
  expect(html + text).not.toMatch(/img|onerror/)
})

test('a sign-up leaves neither code, password nor token in the log', async () => {
  const password = 'canary-password-5521'
  const fields = form({ password })
  const { registrationToken } = (await register(fields)).body.data
  const code = await app.takeCode(fields.email)
  await verify(code, registrationToken).expect(200)
  const { accessToken, refreshToken } = await logIn(app, fields.email, password)
  for (const secret of [password, registrationToken, accessToken, refreshToken, `"${code}"`, fields.email]) {
    expect(app.logged()).not.toContain(secret)
  }
  const events = app
    .logged()
    .split('\n')
    .flatMap((line) => /"security":"([\w-]+)"/.exec(line)?.[1] ?? [])
  expect(events).toEqual(expect.arrayContaining(['registration-started', 'registration-completed', 'login']))
})

test('an account that was created is answered as such, also if its sign-up could not be removed', async () => {
  const fields = form()
  const registered = await register(fields).expect(201)
  const otp = await app.takeCode(fields.email)
  for (const model of Object.values(app.connection.models))
    vi.spyOn(model, 'deleteOne').mockImplementationOnce(() => {
      throw new Error('the database went away')
    })
  await verify(otp, registered.body.data.registrationToken).expect(200)
  vi.restoreAllMocks()
  await verify(otp, registered.body.data.registrationToken).expect(400)
  await logIn(app, fields.email)
})
