import { Binary } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import type { Document } from '../bson/document.ts'

const sessionOf = (number: number): Document => ({ id: new Binary(Buffer.alloc(16, number), 4) })
const within = { lsid: sessionOf(1), txnNumber: 1, autocommit: false }
const increment = { update: 'things', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] }
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let db: InProcess
beforeEach(async () => {
  db = await openInProcess()
})
afterEach(() => db.close())

const stored = async (filter: Document = {}): Promise<unknown> =>
  ((await db.run({ find: 'things', filter, batchSize: 10 }))['cursor'] as Document)['firstBatch']

describe('a long statement of a transaction', () => {
  /** Starts to write to every document; `answer` comes later. */
  const many = (from: number): Document[] => Array.from({ length: 20_000 }, (_, at) => ({ _id: from + at, n: 0 }))
  const updateAll = { update: 'things', updates: [{ q: {}, u: { $set: { n: 5 } }, multi: true }] }
  const begin = async (statement: Document = updateAll): Promise<{ answer: Promise<Document> }> => {
    await db.run({ insert: 'things', documents: many(0) })
    await db.run({ find: 'things', limit: 1, ...within, startTransaction: true })
    const answer = db.run({ ...statement, ...within })
    await turnOfTheLoop()
    return { answer }
  }

  it.each([
    ['an update', updateAll],
    ['an insert', { insert: 'things', documents: many(20_000) }],
    ['a delete', { delete: 'things', deletes: [{ q: {}, limit: 0 }] }],
    ['updates of single documents', { update: 'things', updates: many(0).map((q) => ({ q, u: { $inc: { n: 1 } } })) }]
  ])('ends with the transaction when the session is killed, and releases its locks: %s', async (_what, statement) => {
    const { answer } = await begin(statement)
    expect(await db.run({ killSessions: [sessionOf(1)] })).toMatchObject({ ok: 1 })
    expect(await answer).toMatchObject({ ok: 0, code: 251, errorLabels: ['TransientTransactionError'] })
    expect(await db.run({ delete: 'things', deletes: [{ q: {}, limit: 0 }] })).toMatchObject({ n: 20_000 })
  })

  it('is committed whole by a commit that arrives while it runs', async () => {
    const { answer } = await begin()
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 1 })
    expect(await answer).toMatchObject({ ok: 1, nModified: 20_000 })
    expect(await db.run({ count: 'things', query: { n: 5 } })).toMatchObject({ n: 20_000 })
  })
})

it('refuses the 101st open transaction, to be tried again, until another has ended', async () => {
  const begin = (number: number): Promise<Document> =>
    db.run({ find: 'things', ...within, lsid: sessionOf(number), startTransaction: true })
  for (let number = 1; number <= 100; number += 1) expect(await begin(number)).toMatchObject({ ok: 1 })
  expect(await begin(101)).toMatchObject({ ok: 0, code: 261, errorLabels: ['TransientTransactionError'] })
  await db.run({ abortTransaction: 1, ...within })
  expect(await begin(101)).toMatchObject({ ok: 1 })
})

describe('a write that waits for a transaction', () => {
  beforeEach(async () => {
    await db.run({ insert: 'things', documents: [{ _id: 1, n: 0 }] })
    await db.run({
      update: 'things',
      updates: [{ q: { _id: 1 }, u: { $set: { seen: true } } }],
      ...within,
      startTransaction: true
    })
  })

  it('is carried out once if it is sent again beside its first try', async () => {
    const numbered = { ...increment, lsid: sessionOf(2), txnNumber: 1 }
    const tries = [db.run(numbered)]
    await turnOfTheLoop()
    tries.push(db.run(numbered))
    await turnOfTheLoop()
    await db.run({ commitTransaction: 1, ...within })
    for (const answer of await Promise.all(tries)) expect(answer).toMatchObject({ ok: 1, nModified: 1 })
    expect(await stored()).toEqual([{ _id: 1, n: 1, seen: true }])
  })

  it.each([
    ['refused when that is committed', 'commitTransaction', { n: 0, writeErrors: [{ code: 11000 }] }, { _id: 2 }],
    ['done when that is rolled back', 'abortTransaction', { n: 1 }, { _id: 2, own: true }]
  ])('with a key that the transaction has inserted is %s', async (_what, end, answer, kept) => {
    await db.run({ insert: 'things', documents: [{ _id: 2 }], ...within })
    const written = db.run({ insert: 'things', documents: [{ _id: 2, own: true }] })
    await turnOfTheLoop()
    expect(await db.run({ [end]: 1, ...within })).toMatchObject({ ok: 1 })
    expect(await written).toMatchObject({ ok: 1, ...answer })
    expect(await stored({ _id: 2 })).toEqual([kept])
  })

  it('ends at its time limit, and the next one of its session takes its turn', async () => {
    const numbered = { ...increment, lsid: sessionOf(2), txnNumber: 1 }
    const tries = [numbered, { ...numbered, maxTimeMS: 20 }, numbered].map((command) => db.run(command))
    expect(await db.run({ ...increment, maxTimeMS: 20 })).toMatchObject({ ok: 0, code: 50 })
    expect(await tries[1]).toMatchObject({ ok: 0, code: 50 })
    await db.run({ abortTransaction: 1, ...within })
    expect(await tries[0]).toMatchObject({ ok: 1, nModified: 1 })
    expect(await tries[2]).toMatchObject({ ok: 1, nModified: 1 })
    expect(await stored()).toEqual([{ _id: 1, n: 1 }])
  })

  it('rolls the transaction back if it is an older one of its own session', async () => {
    expect(await db.run({ ...increment, lsid: sessionOf(1), txnNumber: 2 })).toMatchObject({ ok: 1, nModified: 1 })
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 0, code: 251 })
    expect(await stored()).toEqual([{ _id: 1, n: 1 }])
  })

  it('is refused if its session has a newer one', async () => {
    expect(await db.run({ ...increment, lsid: sessionOf(1), txnNumber: 0 })).toMatchObject({ ok: 0, code: 225 })
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 1 })
  })
})

describe('a cursor of a transaction', () => {
  it.each([false, true])(
    'returns each document once, in its current state, while the transaction writes (before it too: %s)',
    async (hasWritten) => {
      await db.run({ insert: 'things', documents: Array.from({ length: 9 }, (_, _id) => ({ _id, n: 0 })) })
      await db.run({ find: 'things', limit: 1, ...within, startTransaction: true })
      if (hasWritten) await db.run({ insert: 'things', documents: [{ _id: 9, n: 0 }], ...within })
      const told: unknown[] = []
      let answer = await db.run({ find: 'things', batchSize: 2, ...within })
      for (;;) {
        const { id, firstBatch, nextBatch } = answer['cursor'] as Document
        const batch = (firstBatch ?? nextBatch) as Document[]
        told.push(...batch)
        const touched = batch.map(({ _id }) => ({ q: { _id }, u: { $inc: { n: 1 } } }))
        if (told.length === 2) touched.push({ q: { _id: 7 }, u: { $inc: { n: 10 } } })
        await db.run({ update: 'things', updates: touched, ...within })
        if (String(id) === '0') break
        answer = await db.run({ getMore: id, collection: 'things', batchSize: 2, ...within })
      }
      const wanted = Array.from({ length: hasWritten ? 10 : 9 }, (_, _id) => ({ _id, n: _id === 7 ? 10 : 0 }))
      expect(told).toEqual(wanted)
    }
  )
})

describe('a commit that fails', () => {
  it('rolls everything back, releases its locks, and says that it may be tried again', async () => {
    for (const name of ['things', 'others']) await db.run({ insert: name, documents: [{ _id: 1, n: 0 }] })
    await db.run({ ...increment, ...within, startTransaction: true })
    await db.run({ insert: 'others', documents: [{ _id: 2 }], ...within })
    await db.run({ drop: 'others' })
    const refused = { ok: 0, code: 112, errorLabels: ['TransientTransactionError'] }
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject(refused)
    expect(await stored()).toEqual([{ _id: 1, n: 0 }])
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 0, code: 251 })
    expect(db.engine.sessions.openTransactions()).toBe(0)
    expect(await db.run(increment)).toMatchObject({ nModified: 1 })
  })

  it('does not roll back a concurrent write of another client', async () => {
    for (const name of ['things', 'others']) await db.run({ insert: name, documents: [{ _id: 1, n: 0 }] })
    await db.run({ ...increment, ...within, startTransaction: true })
    await db.run({ insert: 'others', documents: [{ _id: 2 }], ...within })
    await db.run({ drop: 'others' })
    const written = db.run({ insert: 'things', documents: [{ _id: 9 }] })
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 0, code: 112 })
    expect(await written).toMatchObject({ ok: 1, n: 1 })
    expect(await stored({ _id: 9 })).toEqual([{ _id: 9 }])
  })
})

describe('the number of a transaction', () => {
  it('cannot be that of a write or an older one, or of a committed transaction', async () => {
    await db.run({ insert: 'things', documents: [{ _id: 1 }], lsid: sessionOf(1), txnNumber: 1 })
    const start = (txnNumber: number): Promise<Document> =>
      db.run({ find: 'things', ...within, txnNumber, startTransaction: true })
    expect(await start(0)).toMatchObject({ ok: 0, code: 225 })
    expect(await start(1)).toMatchObject({ ok: 0, code: 50911 })
    expect(await start(2)).toMatchObject({ ok: 1 })
    await db.run({ commitTransaction: 1, ...within, txnNumber: 2 })
    expect(await start(2)).toMatchObject({ ok: 0, code: 50911 })
    expect(await db.run({ find: 'things', ...within, txnNumber: 2 })).toMatchObject({ ok: 0, code: 256 })
    expect(await db.run({ ...increment, lsid: sessionOf(1), txnNumber: 2 })).toMatchObject({ ok: 0, code: 256 })
  })

  it('cannot be that of an aborted one either', async () => {
    await db.run({ find: 'things', ...within, startTransaction: true })
    expect(await db.run({ abortTransaction: 1, ...within })).toMatchObject({ ok: 1 })
    expect(await db.run({ find: 'things', ...within, startTransaction: true })).toMatchObject({ ok: 0, code: 50911 })
  })

  it('that is newer starts another transaction and rolls the previous one back', async () => {
    await db.run({ insert: 'things', documents: [{ _id: 1, n: 0 }] })
    await db.run({ ...increment, ...within, startTransaction: true })
    await db.run({ find: 'things', ...within, txnNumber: 2, startTransaction: true })
    expect(db.engine.sessions.openTransactions()).toBe(1)
    expect(await db.run(increment)).toMatchObject({ ok: 1, nModified: 1 })
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 0, code: 251 })
    expect(await stored()).toEqual([{ _id: 1, n: 1 }])
  })
})
