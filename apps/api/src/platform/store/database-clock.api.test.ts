import { systemClock } from '@batti/kit/clock'
import { hourMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import { startApi } from '../../testing/test-api.ts'
import { createDatabaseClock } from './database-clock.ts'

test('an instance whose clock differs from that of the database says so, until it is right again', async () => {
  const app = await startApi()
  const { connection, platform } = app
  let ahead = 0
  const log = platform.log
  const clock = createDatabaseClock({ connection, clock: { ...systemClock, now: () => Date.now() + ahead }, log })
  const judge = async (ms: number): Promise<boolean> => {
    ahead = ms
    await clock.look()
    return clock.isRight()
  }
  expect([await judge(0), await judge(9000), await judge(-9000)]).toEqual([true, true, true])
  expect([await judge(hourMs), await judge(-hourMs)]).toEqual([false, false])
  expect(app.logged()).toMatch(/"aheadS":3600,.*the clock of this machine differs/)
  expect(await judge(0)).toBe(true)
  expect(app.logged()).toContain('agrees with that of the database again')
  await app.stop()
})

test.each([
  ['of several', true, ['clock']],
  ['that is alone', false, []]
])('with a wrong clock an instance %s stays ready: %j, %j', async (_which, isShared, degraded) => {
  const app = await startApi({ isShared, at: new Date(Date.now() + hourMs).toISOString(), databaseTime: Date.now })
  const { body } = await app.http.get('/readyz').expect(200)
  expect(body.degraded).toEqual(degraded)
  await app.stop()
})
