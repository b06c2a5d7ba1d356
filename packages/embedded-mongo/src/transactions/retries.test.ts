import { Binary } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../bson/document.ts'
import { openInProcess, type InProcess } from '../../test/in-process.ts'

const lsid = { id: new Binary(Buffer.alloc(16, 7), 4) }
const other = { id: new Binary(Buffer.alloc(16, 8), 4) }

describe('retryable writes', () => {
  let db: InProcess
  beforeEach(async () => {
    db = await openInProcess()
  })
  afterEach(() => db.close())

  it('are remembered across a restart', async () => {
    await db.run({ insert: 'things', documents: [{ _id: 1, n: 0 }] })
    const increment = { update: 'things', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }], lsid, txnNumber: 3 }
    expect(await db.run(increment)).toMatchObject({ ok: 1, nModified: 1 })
    db.reopen()
    expect(await db.run(increment)).toMatchObject({ ok: 1, nModified: 1 })
    expect(await db.run({ find: 'things' })).toMatchObject({ cursor: { firstBatch: [{ _id: 1, n: 1 }] } })
  })

  it('remember every statement of a batch that took several commits', async () => {
    const insert = {
      insert: 'things',
      documents: Array.from({ length: 3000 }, (_, _id) => ({ _id, text: 'x'.repeat(300) })),
      lsid,
      txnNumber: 1
    }
    expect(await db.run(insert)).toMatchObject({ n: 3000 })
    db.reopen()
    expect(await db.run(insert)).toMatchObject({ n: 3000 })
    expect(await db.run({ insert: 'things', documents: [{ _id: 5000 }], lsid, txnNumber: 2 })).toMatchObject({ n: 1 })
    db.reopen()
    // The end of the long batch, of the previous transaction number, must not be taken for an answer to this one.
    const documents = [{ _id: 5000 }, { _id: 5001 }]
    expect(await db.run({ insert: 'things', documents, stmtIds: [0, 2999], lsid, txnNumber: 2 })).toMatchObject({
      n: 2
    })
    const found = await db.run({ find: 'things', filter: { _id: { $gte: 5000 } } })
    expect(found).toMatchObject({ cursor: { firstBatch: documents } })
  })

  it('recognize a transaction that was committed before a restart', async () => {
    const within = { lsid, txnNumber: 9, autocommit: false }
    await db.run({ insert: 'things', documents: [{ _id: 1 }], ...within, startTransaction: true })
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 1 })
    db.reopen()
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 1 })
    expect(await db.run({ commitTransaction: 1, ...within, txnNumber: 10 })).toMatchObject({
      ok: 0,
      code: 251,
      errorLabels: ['TransientTransactionError']
    })
  })

  it('recognize a committed transaction that has written nothing', async () => {
    const within = { lsid, txnNumber: 9, autocommit: false }
    await db.run({ find: 'things', ...within, startTransaction: true })
    for (const _try of [1, 2]) expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 1 })
  })

  it.each<[string, (_id: number, text: string) => Document]>([
    ['insert', (_id, text) => ({ insert: 'things', documents: [{ _id, text }] })],
    [
      'findAndModify',
      (_id, text) => ({ findAndModify: 'things', query: { _id }, update: { $set: { text } }, upsert: true })
    ]
  ])('that a full disk rolled back are carried out when they are sent again: %s', async (_, write) => {
    await db.run({ create: 'things' })
    const { writer } = db.engine.store
    const [pages] = writer.get('PRAGMA page_count') ?? []
    writer.exec(`PRAGMA max_page_count = ${Number(pages)}`)
    const numbered = { ...write(1, 'x'), lsid, txnNumber: 1 }
    const large = { ...write(2, 'x'.repeat(100_000)), lsid: other, txnNumber: 1 }
    const answers = await Promise.all([db.run(numbered), db.run(large)])
    for (const answer of answers) expect(answer).toMatchObject({ ok: 0, code: 14031 })
    writer.exec('PRAGMA max_page_count = 1000000')
    await db.run({ insert: 'things', documents: [{ _id: 3 }] })
    db.reopen()
    expect(await db.run(numbered)).toMatchObject({ ok: 1 })
    expect(await db.run({ find: 'things', sort: { _id: 1 } })).toMatchObject({
      cursor: { firstBatch: [{ _id: 1 }, { _id: 3 }] }
    })
  })

  it('are forgotten after an hour', async () => {
    const write = { insert: 'things', documents: [{ _id: 1 }], lsid, txnNumber: 1 }
    await db.run(write)
    db.engine.retries.prune(Date.now() + 2 * 60 * 60_000)
    db.reopen()
    expect(await db.run(write)).toMatchObject({ writeErrors: [{ code: 11000 }] })
  })
})

describe('a transaction', () => {
  it('that is left open for a minute is rolled back and releases its locks', async () => {
    let now = 1_000_000
    const db = await openInProcess({ monotonic: () => now })
    await db.run({ insert: 'things', documents: [{ _id: 1, n: 0 }] })
    const within = { lsid, txnNumber: 1, autocommit: false }
    await db.run({
      update: 'things',
      updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }],
      ...within,
      startTransaction: true
    })
    const waiting = db.run({ update: 'things', updates: [{ q: { _id: 1 }, u: { $inc: { n: 10 } } }] })
    now += 61_000
    db.engine.sessions.expire()
    expect(await waiting).toMatchObject({ nModified: 1 })
    expect(await db.run({ find: 'things' })).toMatchObject({ cursor: { firstBatch: [{ n: 10 }] } })
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ code: 251 })
    await db.close()
  })

  it('goes on, as cursors do, where the wall clock is set forward', async () => {
    let now = 1_000_000
    const db = await openInProcess({ now: () => now })
    await db.run({ insert: 'things', documents: [{ _id: 1 }, { _id: 2 }] })
    await db.run({ create: 'others' })
    const within = { lsid, txnNumber: 1, autocommit: false }
    await db.run({ insert: 'others', documents: [{ _id: 1 }], ...within, startTransaction: true })
    const found = await db.run({ find: 'things', batchSize: 1 })
    now += 24 * 60 * 60_000
    db.engine.sessions.expire()
    db.engine.cursors.expire()
    expect(await db.run({ commitTransaction: 1, ...within })).toMatchObject({ ok: 1 })
    const { id } = found['cursor'] as Document
    expect(await db.run({ getMore: id, collection: 'things' })).toMatchObject({ cursor: { nextBatch: [{ _id: 2 }] } })
    await db.close()
  })

  it.each<[string, ...Document[]]>([
    ['has other indexes', { createIndexes: 'things', indexes: [{ key: { n: 1 }, name: 'n_1' }] }],
    ['is gone', { drop: 'things' }],
    ['is another', { drop: 'things' }, { insert: 'things', documents: [{ _id: 2, n: 0 }] }],
    ['was written anew', { aggregate: 'others', pipeline: [{ $out: 'things' }], cursor: {} }]
  ])('refuses to continue when its collection %s', async (_, ...changes) => {
    const db = await openInProcess()
    for (const name of ['things', 'others']) await db.run({ insert: name, documents: [{ _id: 1, n: 0 }] })
    const within = { lsid, txnNumber: 1, autocommit: false }
    await db.run({ find: 'things', ...within, startTransaction: true })
    for (const change of changes) expect(await db.run(change)).toMatchObject({ ok: 1 })
    expect(await db.run({ find: 'things', filter: { n: 0 }, ...within })).toMatchObject({
      ok: 0,
      code: 246,
      errorLabels: ['TransientTransactionError']
    })
    await db.close()
  })
})
