import { expect, onTestFinished, test } from 'vitest'
import { deviceAuth } from '../../testing/device-auth.ts'
import { startApi } from '../../testing/test-api.ts'

// On a clock that stands still: on a slow machine another guess would be allowed again before the last.
test('an address with many refusals must wait, while its valid boards can still pair', async () => {
  const app = await startApi()
  onTestFinished(() => app.stop())
  const owner = app.person()
  const ask = async (userId: string) =>
    (await app.http.post('/api/v1/device-auth').send(deviceAuth(userId))).body.statusCode
  const guess = () => ask(`${owner.userId}.0000-0000-0000-0000`)
  for (let tried = 0; tried < 10; tried += 1) expect(await guess()).toBe(403)
  expect(await guess()).toBe(429)
  const { data: claim } = await app.call('POST', '/device-claims', owner, {})
  expect(await ask(claim.userId)).toBe(201)
  app.clock.advance(5999)
  expect(await guess()).toBe(429)
  app.clock.advance(1)
  expect([await guess(), await guess()]).toEqual([403, 429])
})
