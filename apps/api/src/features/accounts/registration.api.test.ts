import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAccountsApp, testPassword, type AccountsApp } from '../../testing/accounts-app.ts'
import { bearer, logIn, newAddresses, signUp } from '../../testing/people.ts'

let app: AccountsApp
beforeAll(async () => {
  app = await startAccountsApp()
}, 60_000)
afterAll(() => app.close())

const form = (fields: Record<string, string> = {}) => {
  const { email, phone } = newAddresses()
  return { name: 'Sita Sharma', email, phone, password: testPassword, address: 'Lakeside, Pokhara', ...fields }
}
const register = (fields: Record<string, string>) => app.http.post('/api/v1/user/register').field(fields)
const verify = (otp: string, registrationToken: string) =>
  app.http.post('/api/v1/user/verify-registration').send({ otp, registrationToken })

test('a stranger signs up, reads the code in the mail, and logs in by e-mail and by phone', async () => {
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
