import { dayMs, hourMs } from '@batti/kit/durations'
import { until } from '@batti/kit/testing'
import { Binary } from 'bson'
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
  await db.run({ insert: 'things', documents: [2, 0].map((hours) => ({ at: new Date(now - hours * hourMs) })) })
  const count = async (): Promise<unknown> => (await db.run({ count: 'things' }))['n']
  const stop = startHousekeeping(db.engine, 5)
  await until('the old document is gone', async () => (await count()) === 1)
  now += 400 * dayMs
  looks = 0
  await until('the clock was looked at several times', () => looks > 5)
  expect(await count()).toBe(1)
  stop()
  await db.close()
})

it('no retryable write is forgotten by a wall clock that is set far forward while documents expire', async () => {
  let now = Date.UTC(2026, 0, 1)
  let looks = 0
  let jumpMs = 0
  const db = await openInProcess({
    now: () => {
      looks++
      return now
    },
    syncFile: (_, done) => {
      now += jumpMs
      setImmediate(done, null)
    }
  })
  await db.run({ createIndexes: 'things', indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 3600 }] })
  const old = { _id: 1, at: new Date(now - 2 * hourMs) }
  const write = { insert: 'things', documents: [old], lsid: { id: new Binary(Buffer.alloc(16, 1), 4) }, txnNumber: 1 }
  await db.run(write)
  jumpMs = 400 * dayMs
  const stop = startHousekeeping(db.engine, 5)
  await until('the old document is gone', async () => (await db.run({ count: 'things' }))['n'] === 0)
  looks = 0
  await until('the clock was looked at several times', () => looks > 5)
  stop()
  db.reopen()
  expect(await db.run(write)).toMatchObject({ ok: 1, n: 1 })
  expect(await db.run({ count: 'things' })).toMatchObject({ n: 0 })
  await db.close()
})
