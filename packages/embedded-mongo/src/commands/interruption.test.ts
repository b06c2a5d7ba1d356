import { Binary } from 'bson'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import type { Document } from '../bson/document.ts'
import { createInterruption } from './interruption.ts'

let db: InProcess
beforeEach(async () => {
  db = await openInProcess()
})
afterEach(async () => {
  vi.useRealTimers()
  await db.close()
})

const sessionOf = (number: number): Document => ({ id: new Binary(Buffer.alloc(16, number), 4) })
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('a retry whose timer fires early does not run beside the first try: the write is carried out once', async () => {
  await db.run({ insert: 'things', documents: [{ _id: 1, n: 0 }] })
  const within = { lsid: sessionOf(1), txnNumber: 1, autocommit: false }
  const touch = { update: 'things', updates: [{ q: { _id: 1 }, u: { $set: { seen: true } } }] }
  await db.run({ ...touch, ...within, startTransaction: true })
  const increment = { update: 'things', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] }
  const numbered = { ...increment, lsid: sessionOf(2), txnNumber: 1 }
  const first = db.run(numbered)
  await turnOfTheLoop()

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const again = db.run({ ...numbered, maxTimeMS: 3_600_000 })
  // The real clock, by which the limit is an hour away, goes on as before.
  await vi.advanceTimersByTimeAsync(3_600_001)
  vi.useRealTimers()
  await db.run({ abortTransaction: 1, ...within })
  expect(await again).toMatchObject({ ok: 0, code: 50 })
  expect(await first).toMatchObject({ ok: 1, nModified: 1 })
  expect(await db.run(numbered)).toMatchObject({ ok: 1, nModified: 1 })
  expect(await db.run({ find: 'things' })).toMatchObject({ cursor: { firstBatch: [{ _id: 1, n: 1 }] } })
})

it('a wait ends at once when its client is gone, before or while it waits', async () => {
  const gone = new AbortController()
  const never = new Promise<void>(() => {})
  const waiting = createInterruption(gone.signal, {}, 'update').wait(never)
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ code: 11601 })
  await expect(createInterruption(gone.signal, {}, 'update').wait(never)).rejects.toMatchObject({ code: 11601 })
})
