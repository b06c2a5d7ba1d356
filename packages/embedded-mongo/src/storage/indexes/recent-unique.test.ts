import { Binary } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../bson/document.ts'
import { checkFile } from '../../maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../../../test/in-process.ts'
import { commitWholeWrites } from '../../../test/whole-commits.ts'
import { queryEntries } from './entries.ts'
import type { Index } from './index-spec.ts'

/** Entries of rows 21 and later stay in memory, up to twenty. */
const FEW = 20

let db: InProcess
commitWholeWrites()
beforeEach(async () => {
  db = await openInProcess({ recentEntries: FEW })
  const indexes = [
    { key: { n: 1 }, name: 'n', unique: true },
    { key: { half: 1 }, name: 'half' }
  ]
  await db.run({ createIndexes: 'log', indexes })
  await add(1, 33)
})
afterEach(() => db.close())

const rowOf = (n: number): Document => ({ _id: n, n, half: n % 2 })
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const add = (from: number, to: number): Promise<Document> =>
  db.run({ insert: 'log', documents: range(from, to).map(rowOf) })
const find = async (command: Document): Promise<number[]> => {
  const answer = await db.run({ find: 'log', ...command })
  return ((answer['cursor'] as Document)['firstBatch'] as Document[]).map(({ _id }) => Number(_id))
}
const update = (q: Document, u: Document, more: Document = {}): Promise<Document> =>
  db.run({ update: 'log', updates: [{ q, u }], ...more })
const indexOf = (name: string): Index => {
  const index = db.engine.store.catalog.get('test.log')?.indexes.find((known) => known.name === name)
  if (!index) throw new Error(`no index ${name}`)
  return index
}
const places = (name: string): [file: number, memory: number] => {
  const { id } = indexOf(name)
  const { writer } = db.engine.store
  return [Number(writer.get(`SELECT count(*) FROM index_${id}`)?.[0]), writer.recent.get(id)?.entries ?? 0]
}
const duplicate = { writeErrors: [{ code: 11000 }] }

describe('a unique index', () => {
  it('holds keys of new rows in memory, and refuses duplicates of them and of those in the file', async () => {
    expect([places('_id_'), places('n')]).toEqual([
      [20, 13],
      [20, 13]
    ])
    for (const n of [7, 30]) {
      expect(await db.run({ insert: 'log', documents: [{ _id: `new ${n}`, n }] })).toMatchObject({ n: 0, ...duplicate })
      expect(await db.run({ insert: 'log', documents: [{ _id: n, n: -1 }] })).toMatchObject({ n: 0, ...duplicate })
    }
    // Old and new rows that exchange their keys.
    for (const [row, n] of [
      [3, 30],
      [30, 3],
      [31, 30]
    ] as const)
      expect(await update({ _id: row }, { $set: { n } })).toMatchObject({ nModified: 0, ...duplicate })
    expect(await find({ filter: {}, sort: { n: 1 } })).toEqual(range(1, 33))
    expect(await checkFile(db.file)).toEqual([])
  })

  it('accepts a key that is free again, wherever it was held', async () => {
    await update({ _id: 5 }, { $set: { n: 105 } })
    await db.run({ delete: 'log', deletes: [{ q: { _id: 30 }, limit: 1 }] })
    expect(await update({ _id: 31 }, { $set: { n: 5 } })).toMatchObject({ nModified: 1 })
    expect(await update({ _id: 6 }, { $set: { n: 30 } })).toMatchObject({ nModified: 1 })
    expect(await db.run({ insert: 'log', documents: [{ _id: 30, n: 6 }] })).toMatchObject({ n: 1 })
    const holders = Promise.all([5, 6, 30, 31, 105].map((n) => find({ filter: { n } })))
    expect(await holders).toEqual([[31], [30], [6], [], [5]])
    await add(40, 60)
    db.reopen()
    expect(places('n')).toEqual([54, 0])
    expect(await checkFile(db.file)).toEqual([])
  })

  it('is read in its order from file and memory, without a sort', async () => {
    expect(await find({ filter: { n: { $gt: 17 } }, sort: { n: 1 } })).toEqual(range(18, 33))
    expect(await find({ filter: { _id: { $lt: 25 } }, sort: { _id: -1 }, limit: 8 })).toEqual(
      range(17, 24).toReversed()
    )
    expect(await find({ filter: {}, sort: { _id: 1 }, skip: 19, limit: 3 })).toEqual([20, 21, 22])
    const { writer } = db.engine.store
    const join = `CROSS JOIN docs_${db.engine.store.catalog.get('test.log')?.id} d ON d.rid = i.rid`
    const sql = queryEntries(writer, indexOf('n'), { columns: 'i.key, i.rid, d.bson', join, where: 'i.key >= ?1' })
    const plan = writer
      .all(`EXPLAIN QUERY PLAN ${sql} ORDER BY 1, 2`, Buffer.alloc(1))
      .map(([, , , step]) => String(step))
    expect(plan).toContain('MERGE (UNION ALL)')
    expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  })

  it('restores them after a kill, and the number of documents too', async () => {
    await db.run({ delete: 'log', deletes: [{ q: { _id: 25 }, limit: 1 }] })
    expect(await checkFile(db.file)).toEqual([])
    db.kill()
    expect(places('n')).toEqual([20, 12])
    expect(await db.run({ count: 'log' })).toMatchObject({ n: 32 })
    expect(await db.run({ insert: 'log', documents: [{ _id: 25, n: 33 }] })).toMatchObject({ n: 0, ...duplicate })
    expect(await find({ filter: { n: 33 } })).toEqual([33])
    expect(await checkFile(db.file)).toEqual([])
  })

  it('moves its keys to the file when there are many', async () => {
    await add(34, 41)
    for (const n of range(42, 46)) await add(n, n)
    expect(places('n')[0]).toBeGreaterThanOrEqual(40)
    expect(await db.run({ insert: 'log', documents: [{ _id: 'new', n: 40 }] })).toMatchObject(duplicate)
    expect(await find({ filter: { n: { $gte: 38 } }, sort: { n: 1 } })).toEqual(range(38, 46))
  })

  it('accepts no duplicate key, also when no uniqueness check came before', () => {
    const { store } = db.engine
    for (const n of [7, 30]) {
      const [key] = store.writer.get(
        `SELECT key FROM (${queryEntries(store.writer, indexOf('n'), { columns: 'key, rid', where: 'true' })}) WHERE rid = ?`,
        n
      ) as [Uint8Array]
      expect(() => store.recent.add(indexOf('n'), key, 99)).toThrow('index n')
    }
    expect(places('n')).toEqual([20, 13])
  })

  it('of a file in the third layout starts with the rows after its last one', async () => {
    const { store } = db.engine
    // As the previous version wrote it: all unique entries are in the file; the rest of `half` was in its memory.
    store.write(() => {
      for (const name of ['_id_', 'n']) {
        const { id } = indexOf(name)
        store.writer.run(`INSERT INTO index_${id}(key, rid) SELECT key, rid FROM temp.recent WHERE idx = ?`, id)
        store.writer.run('UPDATE indexes SET merged = 0 WHERE id = ?', id)
      }
      store.writer.exec('PRAGMA user_version = 3')
    })
    store.flush()
    db.kill()
    expect([places('_id_'), places('n'), places('half')]).toEqual([
      [33, 0],
      [33, 0],
      [20, 13]
    ])
    expect(await db.run({ count: 'log' })).toMatchObject({ n: 33 })
    await add(34, 35)
    expect(places('n')).toEqual([33, 2])
    db.kill()
    expect([places('n'), places('half')]).toEqual([
      [33, 2],
      [20, 15]
    ])
    expect(await checkFile(db.file)).toEqual([])
  })
})

it('a transaction is refused a key that was in memory when it began', async () => {
  let number = 0
  const refused = { ok: 0, code: 11000 }
  const within = (): Document => ({
    lsid: { id: new Binary(Buffer.alloc(16, ++number), 4) },
    txnNumber: 1,
    autocommit: false,
    startTransaction: true
  })
  expect(await update({ _id: 3 }, { $set: { n: 30 } }, within())).toMatchObject(refused)
  expect(await db.run({ insert: 'log', documents: [{ _id: 31, n: -1 }], ...within() })).toMatchObject(refused)
  // A transaction reads the entries from its own copy beside the file.
  const { startTransaction, ...own } = within()
  expect(await db.run({ insert: 'log', documents: [{ _id: 'own', n: 77 }], ...own, startTransaction })).toMatchObject({
    n: 1
  })
  expect(await find({ filter: { n: 32 }, ...own })).toEqual([32])
  expect(await db.run({ commitTransaction: 1, ...own })).toMatchObject({ ok: 1 })
  expect(await find({ filter: { n: 77 } })).toHaveLength(1)
})
