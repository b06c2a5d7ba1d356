import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { hourMs, minuteMs } from '@batti/kit/durations'
import { bearer, newAddresses, signUp, testPassword } from '../testing/people.ts'
import { openScreen } from '../testing/open-screen.ts'
import { startApi, type TestApiOptions } from '../testing/test-api.ts'
import { testSecrets } from '../testing/test-secrets.ts'

/** Two instances with one database; the clock of the second differs from that of the first and of the database. */
async function instances(aheadMs: number, limits: Pick<TestApiOptions, 'accountLimits'> = {}) {
  const [at, shared] = ['2026-11-20T06:00:00Z', { isShared: true, env: testSecrets(), ...limits }]
  const first = await startApi({ ...shared, at })
  onTestFinished(() => first.stop())
  const wrong = new Date(Date.parse(at) + aheadMs).toISOString()
  const second = await startApi({ ...shared, at: wrong, uri: first.uri, databaseTime: () => first.clock.now() })
  onTestFinished(() => second.stop())
  return { first, second }
}

test.each([5 * minuteMs, -5 * minuteMs, 120 * minuteMs])(
  'a session goes on at an instance whose clock is %d ms ahead',
  async (aheadMs) => {
    const { first, second } = await instances(aheadMs)
    const person = await signUp(first)
    const refresh = (app: typeof first, refreshToken: string) =>
      app.http.post('/api/v1/user/refresh-token').send({ refreshToken }).expect(200)
    // The other tab, or a repetition after an answer that was lost.
    const next = (await refresh(first, person.refreshToken)).body
    expect((await refresh(second, person.refreshToken)).body.refreshToken).toBe(next.refreshToken)
    const last = (await refresh(second, next.refreshToken)).body
    expect((await refresh(first, next.refreshToken)).body.refreshToken).toBe(last.refreshToken)
    for (const { http } of [first, second])
      for (const tokens of [next, last])
        await http
          .get('/api/v1/user/account')
          .set(...bearer(tokens))
          .expect(200)
  }
)

test('a code of one instance is valid at another whose clock is hours ahead', async () => {
  const { first, second } = await instances(120 * minuteMs)
  const { email, phone } = newAddresses()
  const form = { name: 'Sita', email, phone, countryCode: '+977', password: testPassword, address: 'Pokhara' }
  const { registrationToken } = (await first.http.post('/api/v1/user/register').field(form).expect(201)).body.data
  const otp = await first.takeCode(email)
  await second.http.post('/api/v1/user/verify-registration').send({ otp, registrationToken }).expect(200)
})

test('what an instance whose clock is hours ahead lets a stranger try counts at the others', async () => {
  const registrationsPerIp = { name: 'register-ip', points: 1, windowMs: hourMs }
  const { first, second } = await instances(120 * minuteMs, { accountLimits: { registrationsPerIp } })
  const signUpAt = ({ http }: typeof first) =>
    http
      .post('/api/v1/user/register')
      .field({ ...newAddresses(), name: 'Sita', password: testPassword, address: 'Pokhara' })
  await signUpAt(second).expect(201)
  await signUpAt(first).expect(429)
})

test('a pairing code of one instance is valid at another whose clock is hours ahead', async () => {
  const { first, second } = await instances(120 * minuteMs)
  const sita = await signUp(first)
  const { id } = (
    await first.http
      .post('/api/v1/device-claims')
      .set(...bearer(sita))
      .expect(201)
  ).body.data
  const seen = await second.http.get(`/api/v1/device-claims/${id}`).set(...bearer(sita))
  expect(seen.body.data).toMatchObject({ id, step: 'waiting' })
})

test('a screen at an instance whose clock is hours ahead is not asked for another token', async () => {
  const { first, second } = await instances(120 * minuteMs)
  const { accessToken } = await signUp(first)
  const { port } = second.server.address() as AddressInfo
  const screen = await openScreen(`http://127.0.0.1:${port}`, accessToken, {})
  onTestFinished(() => void screen.socket.disconnect())
  await screen.send('join-user-device-room', '34:98:7A:00:00:99')
  expect(screen.heard('token-expired')).toEqual([])
})
