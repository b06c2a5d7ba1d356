import type { UserRecord } from '@batti/contracts'
import type { TestApi } from './test-api.ts'

export interface Person {
  id: string
  email: string
  /** E.164. */
  phone: string
  accessToken: string
  refreshToken: string
  user: UserRecord
}

export const testPassword = 'lamp under the stairs 7'

let count = 0

/** Returns an address and a number that no other test uses. */
export function newAddresses(): { email: string; phone: string } {
  count += 1
  return { email: `person-${count}@example.com`, phone: `98${String(10_000_000 + count)}` }
}

export async function logIn(app: TestApi, email: string, password = testPassword): Promise<Omit<Person, 'phone'>> {
  const answer = await app.http.post('/api/v1/user/login').send({ email, password })
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${answer.text}`)
  const { accessToken, refreshToken, user } = answer.body.data
  return { id: user._id, email, accessToken, refreshToken, user }
}

/** Signs up, reads the code and logs in, all over HTTP. */
export async function signUp(app: TestApi, fields: Record<string, string> = {}): Promise<Person> {
  const { email, phone } = { ...newAddresses(), ...fields }
  const form = {
    name: 'Sita Sharma',
    email,
    phone,
    countryCode: '+977',
    password: testPassword,
    address: 'Pokhara',
    ...fields
  }
  const registered = await app.http.post('/api/v1/user/register').field(form)
  if (registered.status !== 201) throw new Error(`register answered ${registered.status}: ${registered.text}`)
  const otp = await app.takeCode(email)
  const verified = await app.http
    .post('/api/v1/user/verify-registration')
    .send({ otp, registrationToken: registered.body.data.registrationToken })
  if (verified.status !== 200) throw new Error(`verify answered ${verified.status}: ${verified.text}`)
  return { ...(await logIn(app, email, form.password)), phone: form.countryCode + phone }
}

/** Creates an admin in the way the server creates its first one. */
export async function signUpAdmin(app: TestApi): Promise<Omit<Person, 'phone'>> {
  const { email } = newAddresses()
  await app.accounts.firstAdmin.create({ email, password: testPassword })
  return logIn(app, email)
}

export const bearer = (person: { accessToken: string }): [string, string] => [
  'authorization',
  `Bearer ${person.accessToken}`
]
