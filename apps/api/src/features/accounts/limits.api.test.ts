import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, newAddresses, signUp, testPassword } from '../../testing/people.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { defaultAccountLimits, type AccountLimits } from './limits.ts'

// Windows of different keys start at different moments; none of these ends during a test.
const three = { points: 3, windowMs: 100 * 365 * 86_400_000 }
const few = Object.fromEntries(
  Object.entries(defaultAccountLimits).map(([name, limit]) => [name, { ...limit, ...three }])
) as unknown as AccountLimits
const { registrationsPerIp, registrationsPerEmail, mailCodesPerIp, mailCodesPerReceiver } = few

const apis: TestApi[] = []
/** The api with only these limits, behind a proxy that reports the address of each call. */
async function apiWith(accountLimits: Partial<AccountLimits>): Promise<TestApi> {
  const api = await startApi({ env: { TRUST_PROXY: 'loopback', LIMIT_CLAIMS: '3' }, accountLimits })
  apis.push(api)
  return api
}
afterAll(async () => {
  for (const api of apis) await api.stop()
})

let byAddress: TestApi
let byPerson: TestApi
beforeAll(async () => {
  const { wrongCodesPerIp, addressChangesPerAccount } = few
  byAddress = await apiWith({ registrationsPerIp, mailCodesPerIp, wrongCodesPerIp })
  byPerson = await apiWith({ registrationsPerEmail, mailCodesPerReceiver, addressChangesPerAccount })
})

const post = (api: TestApi, ip: string, path: string) => api.http.post(`/api/v1${path}`).set('x-forwarded-for', ip)
const register = (api: TestApi, ip: string, email = newAddresses().email) =>
  post(api, ip, '/user/register').field({
    name: 'Sita Sharma',
    email,
    phone: newAddresses().phone,
    password: testPassword,
    address: 'Lakeside, Pokhara'
  })
const forgot = (api: TestApi, ip: string, email = newAddresses().email) =>
  post(api, ip, '/user/forgot-password').send({ email })

test('sign-ups from one address are limited, and an IPv6 network counts as one', async () => {
  for (const host of ['1', '2', 'ffff:1']) await register(byAddress, `2001:db8:0:7::${host}`).expect(201)
  await register(byAddress, '2001:db8:0:7::3').expect(429)
  await register(byAddress, '2001:db8:0:8::3').expect(201)
})

test('mailed codes requested by one address are limited, whoever receives them', async () => {
  for (let asked = 0; asked < 3; asked += 1) await forgot(byAddress, '203.0.113.1').expect(200)
  await forgot(byAddress, '203.0.113.1').expect(429)
  await forgot(byAddress, '203.0.113.2').expect(200)
})

test('wrong codes of one address count together, for any purpose, and then even a right one is refused', async () => {
  const ip = '203.0.113.3'
  const { email } = newAddresses()
  const { registrationToken } = (await register(byAddress, '203.0.113.4', email).expect(201)).body.data
  const otp = await byAddress.takeCode(email)
  const verify = (from: string, code: string) =>
    post(byAddress, from, '/user/verify-registration').send({ otp: code, registrationToken })
  const reset = () =>
    post(byAddress, ip, '/user/reset-password').send({
      email: newAddresses().email,
      otp: '000000',
      newPassword: 'a lamp in every window 3'
    })
  await verify(ip, otp === '000000' ? '000001' : '000000').expect(400)
  await reset().expect(400)
  await reset().expect(400)
  await reset().expect(429)
  await verify(ip, otp).expect(429)
  await verify('203.0.113.4', otp).expect(200)
})

test('sign-ups for one e-mail are limited, from any address', async () => {
  const { email } = newAddresses()
  for (const host of [1, 2, 3]) await register(byPerson, `198.51.100.${host}`, email).expect(201)
  await register(byPerson, '198.51.100.4', email.toUpperCase()).expect(429)
  await register(byPerson, '198.51.100.4').expect(201)
})

test('codes mailed to one receiver are limited, from any address', async () => {
  const { email } = newAddresses()
  for (const host of [1, 2, 3]) {
    await forgot(byPerson, `192.0.2.${host}`, email).expect(200)
    // One receiver must wait a minute for a new code.
    byPerson.clock.advance(61_000)
  }
  await forgot(byPerson, '192.0.2.4', email).expect(429)
  await forgot(byPerson, '192.0.2.4').expect(200)
})

test('changes of the own e-mail and number are limited, other changes are not', async () => {
  const person = await signUp(byPerson)
  const change = (fields: Record<string, string>) =>
    byPerson.http
      .patch('/api/v1/user/update-account')
      .set(...bearer(person))
      .field(fields)
  const password = testPassword
  await change({ email: newAddresses().email, password }).expect(200)
  await change({ phone: newAddresses().phone, password }).expect(200)
  await change({ email: newAddresses().email, password }).expect(200)
  await change({ phone: newAddresses().phone, password }).expect(429)
  await change({ name: 'Sita Thapa' }).expect(200)
})

test('pairing codes are limited per minute for each user separately', async () => {
  const [sita, hari] = [byPerson.person(), byPerson.person()]
  const ask = async (who: typeof sita) => (await byPerson.call('POST', '/device-claims', who, {})).statusCode
  expect([await ask(sita), await ask(sita), await ask(sita), await ask(sita)]).toEqual([201, 201, 201, 429])
  expect(await ask(hari)).toBe(201)
  byPerson.clock.advance(20_000)
  expect([await ask(sita), await ask(sita)]).toEqual([201, 429])
})
