import { until } from '@batti/kit/testing'
import { expect, it } from 'vitest'
import { openInProcess } from '../test/in-process.ts'
import { startHousekeeping } from './housekeeping.ts'

it('documents expire, but not by a wall clock that has just been set far forward', async () => {
  let now = Date.UTC(2026, 0, 1)
  let looks = 0
  const db = await openInProcess({
    now: () => {
      looks++
      return now
    }
  })
  await db.run({ createIndexes: 'things', indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 3600 }] })
  await db.run({ insert: 'things', documents: [2, 0].map((hours) => ({ at: new Date(now - hours * 3_600_000) })) })
  const count = async (): Promise<unknown> => (await db.run({ count: 'things' }))['n']
  const stop = startHousekeeping(db.engine, 5)
  await until('the old document is gone', async () => (await count()) === 1)
  now += 400 * 24 * 3_600_000
  looks = 0
  await until('the clock was looked at several times', () => looks > 5)
  expect(await count()).toBe(1)
  stop()
  await db.close()
})
