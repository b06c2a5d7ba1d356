import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bearer, logIn, signUp, testPassword, type Person } from '../../testing/people.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

const newPassword = 'a lamp in every window 3'
const isLoggedIn = async (person: Pick<Person, 'accessToken'>): Promise<boolean> =>
  (await app.http.get('/api/v1/user/account').set(...bearer(person))).status === 200

test.each([
  [
    'a change',
    (person: Person) =>
      app.http
        .patch('/api/v1/user/change-password')
        .set(...bearer(person))
        .send({ oldPassword: testPassword, newPassword })
  ],
  [
    'a reset',
    async ({ email }: Person) => {
      await app.http.post('/api/v1/user/forgot-password').send({ email })
      return app.http.post('/api/v1/user/reset-password').send({ email, newPassword, otp: await app.takeCode(email) })
    }
  ]
])('no session outlives %s of a password when the database fails right after it', async (_what, change) => {
  const person = await signUp(app)
  const thief = await logIn(app, person.email)
  // Invalidating the earlier codes is the first database command after the password.
  for (const model of Object.values(app.connection.models))
    vi.spyOn(model, 'updateMany').mockImplementationOnce(() => {
      throw new Error('the database went away')
    })
  expect((await change(person)).status).toBe(500)
  vi.restoreAllMocks()
  await logIn(app, person.email, newPassword)
  expect(await isLoggedIn(thief)).toBe(false)
})

test.each(['code', 'link'])(
  'a reset interrupted by the database can be repeated with the same %s, once',
  async (by) => {
    const { email } = await signUp(app)
    await app.http.post('/api/v1/user/forgot-password').send({ email })
    const { text } = await app.takeMessage(email)
    const [otp, token] = [/\b\d{6}\b/.exec(text)?.[0], /token=([\w-]+)/.exec(text)?.[1]]
    const proof = by === 'code' ? { email, otp } : { token }
    const reset = () => app.http.post('/api/v1/user/reset-password').send({ ...proof, newPassword })
    for (const model of Object.values(app.connection.models)) {
      const write = model.findOneAndUpdate.bind(model)
      let isBroken = false
      vi.spyOn(model, 'findOneAndUpdate').mockImplementation((...args: Parameters<typeof write>) => {
        if (isBroken || !JSON.stringify(args).includes('passwordHash')) return write(...args)
        isBroken = true
        throw new Error('the database went away')
      })
    }
    expect((await reset()).status).toBe(500)
    expect((await reset()).status).toBe(200)
    vi.restoreAllMocks()
    expect((await reset()).body).toMatchObject({ statusCode: 400, code: 'CODE_INVALID' })
  }
)
