import { Binary } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../bson/document.ts'
import { checkFile } from '../../maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../../../test/in-process.ts'
import { commitWholeWrites } from '../../../test/whole-commits.ts'
import { expireDocuments } from '../expiry.ts'

/** Entries of rows 21 and later stay in memory, up to twenty. */
const FEW = 20
const BOARDS = 4

let db: InProcess
commitWholeWrites()
beforeEach(async () => {
  db = await openInProcess({ recentEntries: FEW })
  const indexes = [
    { key: { board: 1, at: -1 }, name: 'board' },
    { key: { tags: 1 }, name: 'tags' },
    { key: { n: 1 }, name: 'n', unique: true }
  ]
  await db.run({ createIndexes: 'log', indexes })
})
afterEach(() => db.close())

const rowOf = (n: number): Document => ({ _id: n, n, board: n % BOARDS, at: n, tags: [n % 3, 10 + (n % 2)] })
const add = (from: number, to: number): Promise<Document> =>
  db.run({ insert: 'log', documents: Array.from({ length: to - from + 1 }, (_, i) => rowOf(from + i)) })
const found = (answer: Document): number[] => {
  const { firstBatch, nextBatch } = answer['cursor'] as Record<string, Document[] | undefined>
  return (firstBatch ?? nextBatch ?? []).map(({ _id }) => Number(_id))
}
const find = async (command: Document): Promise<number[]> => found(await db.run({ find: 'log', ...command }))
const placeOf = (name: string): { id: number; merged: number } => {
  const index = db.engine.store.catalog.get('test.log')?.indexes.find((known) => known.name === name)
  return { id: index?.id ?? 0, merged: index?.merged ?? 0 }
}
const inFile = (name: string): number =>
  Number(db.engine.store.writer.get(`SELECT count(*) FROM index_${placeOf(name).id}`)?.[0])
const inMemory = (name: string): number => db.engine.store.writer.recent.get(placeOf(name).id)?.entries ?? 0
/** Each commit moves the entries of one index. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 4; i++) await db.run({ insert: 'other', documents: [{}] })
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const ofBoard = (board: number, to: number): number[] => range(1, to).filter((n) => n % BOARDS === board)

describe('index entries of new rows', () => {
  it('stay in memory after the first rows, and move to the file when there are many', async () => {
    await add(1, 30)
    expect([inFile('board'), inMemory('board')]).toEqual([20, 10])
    await add(31, 40)
    await settle()
    expect([inFile('board'), inMemory('board')]).toEqual([40, 0])
    expect([inFile('tags'), inMemory('tags')]).toEqual([80, 0])
    expect(placeOf('board').merged).toBe(40)
  })

  it('with the limits of the engine: those of the first 256 rows are in the file, up to 4,096 more in memory', async () => {
    await db.close()
    db = await openInProcess()
    await db.run({ createIndexes: 'log', indexes: [{ key: { board: 1, at: -1 }, name: 'board' }] })
    await add(1, 256)
    expect([inFile('board'), inMemory('board')]).toEqual([256, 0])
    await add(257, 4351)
    expect([inFile('board'), inMemory('board')]).toEqual([256, 4095])
    await add(4352, 4352)
    await settle()
    expect([inFile('board'), inMemory('board')]).toEqual([4352, 0])
  })

  it('move after fewer rows if their keys are long', async () => {
    await db.close()
    db = await openInProcess({ recentEntries: 300 })
    await db.run({ createIndexes: 'log', indexes: [{ key: { text: 1 }, name: 'text' }] })
    const addLong = (from: number, to: number): Promise<Document> =>
      db.run({ insert: 'log', documents: range(from, to).map((_id) => ({ _id, text: `${_id}`.padEnd(10_000, 'x') })) })
    await addLong(1, 300)
    expect([inFile('text'), inMemory('text')]).toEqual([256, 44])
    await addLong(301, 310)
    await settle()
    expect([inFile('text'), inMemory('text')]).toEqual([310, 0])
  })

  it('are read together with those in the file, in the order of the index, both ways', async () => {
    await add(1, 33)
    expect(inMemory('board')).toBe(13)
    const two = ofBoard(2, 33)
    const newestFirst = { filter: { board: 2 }, sort: { at: -1 } }
    expect(await find({ ...newestFirst })).toEqual(two.toReversed())
    expect(await find({ filter: { board: 2 }, sort: { at: 1 } })).toEqual(two)
    expect(await find({ ...newestFirst, skip: 2, limit: 3 })).toEqual(two.toReversed().slice(2, 5))
    expect(await find({ ...newestFirst, skip: 100 })).toEqual([])
    expect(await find({ filter: { board: { $in: [1, 2] } }, sort: { at: -1 }, limit: 7 })).toEqual(
      range(1, 33)
        .filter((n) => n % BOARDS === 1 || n % BOARDS === 2)
        .toReversed()
        .slice(0, 7)
    )
    expect(await find({ filter: { tags: 2 }, sort: { _id: 1 } })).toEqual(range(1, 33).filter((n) => n % 3 === 2))
  })

  it('are counted together with those in the file', async () => {
    await add(1, 33)
    expect(await db.run({ count: 'log', query: { board: 1 } })).toMatchObject({ n: ofBoard(1, 33).length })
    const either = { $or: [{ board: 1, at: { $gt: 10 } }, { board: 2 }] }
    const wanted = range(11, 33).filter((n) => n % BOARDS === 1).length + ofBoard(2, 33).length
    expect(await db.run({ count: 'log', query: either })).toMatchObject({ n: wanted })
  })

  it('move between two batches of a cursor, which sees each row once', async () => {
    await add(1, 33)
    const first = await db.run({ find: 'log', filter: {}, hint: 'board', batchSize: 5 })
    const { id } = first['cursor'] as Document
    const seen = found(first)
    await add(34, 45)
    await settle()
    expect(inMemory('board')).toBe(0)
    seen.push(...found(await db.run({ getMore: id, collection: 'log', batchSize: 1000 })))
    expect(seen).toEqual([...new Set(seen)])
    expect(seen.filter((n) => n <= 33).toSorted((a, b) => a - b)).toEqual(range(1, 33))
  })

  it('follow updates and deletions of old and new rows', async () => {
    await add(1, 33)
    await db.run({
      update: 'log',
      updates: [5, 30].map((_id) => ({ q: { _id }, u: { $set: { board: 9 } } }))
    })
    await db.run({ delete: 'log', deletes: [6, 31].map((_id) => ({ q: { _id }, limit: 1 })) })
    expect(await find({ filter: { board: 9 }, sort: { at: 1 } })).toEqual([5, 30])
    expect(await find({ filter: { board: 2 }, sort: { at: 1 } })).toEqual(
      ofBoard(2, 33).filter((n) => n !== 6 && n !== 30)
    )
    expect(await find({ filter: { board: 3 }, sort: { at: 1 } })).toEqual(ofBoard(3, 33).filter((n) => n !== 31))
    db.reopen()
    expect([inMemory('board'), inFile('board')]).toEqual([0, 31])
    expect(await checkFile(db.file)).toEqual([])
  })

  it('are removed with their rows, index or collection', async () => {
    await add(1, 33)
    await db.run({ delete: 'log', deletes: [{ q: { _id: { $gt: 20 } }, limit: 0 }] })
    expect(db.engine.store.writer.get('SELECT count(*) FROM temp.recent')).toEqual([0])
    await add(34, 40)
    await db.run({ dropIndexes: 'log', index: 'tags' })
    await db.run({ drop: 'log' })
    expect(db.engine.store.writer.get('SELECT count(*) FROM temp.recent')).toEqual([0])
    expect(db.engine.store.writer.recent.size).toBe(0)
  })

  it('expire with their documents', async () => {
    await db.run({ createIndexes: 'log', indexes: [{ key: { gone: 1 }, name: 'gone', expireAfterSeconds: 1 }] })
    await add(1, 33)
    await db.run({ update: 'log', updates: [{ q: { _id: 32 }, u: { $set: { gone: new Date(0) } } }] })
    expect(inMemory('gone')).toBe(13)
    expect(await expireDocuments(db.engine)).toBe(1)
    expect(await find({ filter: { _id: { $gt: 30 } }, sort: { _id: 1 } })).toEqual([31, 33])
    expect(inMemory('gone')).toBe(12)
  })
})

describe('entries in memory', () => {
  it('are rebuilt after a kill, and the file is consistent without them', async () => {
    await add(1, 33)
    await db.run({ delete: 'log', deletes: [{ q: { _id: 25 }, limit: 1 }] })
    expect(await checkFile(db.file)).toEqual([])
    db.kill()
    expect([inFile('board'), inMemory('board')]).toEqual([20, 12])
    expect(await find({ filter: { board: 1 }, sort: { at: -1 } })).toEqual(
      ofBoard(1, 33)
        .filter((n) => n !== 25)
        .toReversed()
    )
    // The numbers of the rows deleted last are used again.
    await db.run({ delete: 'log', deletes: [{ q: { _id: { $gt: 15 } }, limit: 0 }] })
    db.kill()
    await add(16, 33)
    expect(await find({ filter: { board: 1 }, sort: { at: -1 } })).toEqual(ofBoard(1, 33).toReversed())
    db.reopen()
    expect([inFile('board'), inMemory('board')]).toEqual([33, 0])
    expect(await checkFile(db.file)).toEqual([])
  })

  it('of rows after a move are rebuilt, too', async () => {
    await add(1, 40)
    await settle()
    await add(41, 42)
    expect(inMemory('board')).toBe(2)
    db.kill()
    expect(inMemory('board')).toBe(2)
    expect(await find({ filter: { board: 1 }, sort: { at: 1 } })).toEqual(ofBoard(1, 42))
    expect(await checkFile(db.file)).toEqual([])
  })

  it('are rebuilt when a kill left a single one', async () => {
    await add(1, 21)
    expect([placeOf('board').merged, inMemory('board')]).toEqual([20, 1])
    db.kill()
    expect(inMemory('board')).toBe(1)
    expect(await find({ filter: { board: 1 }, sort: { at: 1 } })).toEqual(ofBoard(1, 21))
  })

  it('of a later index start with the rows after its creation', async () => {
    await add(1, 33)
    await db.run({ createIndexes: 'log', indexes: [{ key: { at: 1 }, name: 'at' }] })
    expect([inFile('at'), inMemory('at')]).toEqual([33, 0])
    await add(34, 36)
    expect([inFile('at'), inMemory('at')]).toEqual([33, 3])
    expect(await find({ filter: { at: { $gt: 31 } }, sort: { at: 1 } })).toEqual([32, 33, 34, 35, 36])
    db.kill()
    expect([inMemory('board'), inMemory('at')]).toEqual([16, 3])
    expect(await find({ filter: { at: { $gt: 31 } }, sort: { at: 1 } })).toEqual([32, 33, 34, 35, 36])
  })

  it('of a file in the second layout start with the rows after its last one', async () => {
    await add(1, 33)
    db.reopen()
    db.engine.store.write(() =>
      db.engine.store.writer.exec('ALTER TABLE indexes DROP COLUMN merged; PRAGMA user_version = 2')
    )
    db.reopen()
    expect(placeOf('board').merged).toBe(33)
    await add(34, 36)
    db.kill()
    expect([inFile('board'), inMemory('board')]).toEqual([33, 3])
    expect(await find({ filter: { board: 2 }, sort: { at: 1 } })).toEqual(ofBoard(2, 36))
  })
})

describe('rolled-back entries in memory', () => {
  const fill = (): void => {
    const { writer } = db.engine.store
    const [pages] = writer.get('PRAGMA page_count') ?? [0]
    writer.exec(`PRAGMA max_page_count = ${Number(pages)}`)
  }

  it('are removed with a commit that failed on a full disk', async () => {
    await add(1, 30)
    fill()
    const large = 'x'.repeat(100_000)
    const refused = await db.run({ insert: 'log', documents: [rowOf(31), { ...rowOf(32), large }] })
    expect(refused).toMatchObject({ ok: 0, code: 14031 })
    expect(inMemory('board')).toBe(10)
    expect(await find({ filter: { board: 3 }, sort: { at: 1 } })).toEqual(ofBoard(3, 30))
    db.engine.store.writer.exec('PRAGMA max_page_count = 1000000')
    await add(31, 33)
    expect(await find({ filter: { board: 3 }, sort: { at: 1 } })).toEqual(ofBoard(3, 33))
    db.reopen()
    expect(await checkFile(db.file)).toEqual([])
  })

  it('are removed with an operation that failed, and no others are', async () => {
    await add(1, 30)
    await db.run({ insert: 'log', documents: [{ _id: 'both', x: [1], y: [2], n: -1 }] })
    const refused = await db.run({ createIndexes: 'log', indexes: [{ key: { x: 1, y: 1 }, name: 'xy' }] })
    expect(refused).toMatchObject({ ok: 0, code: 171 })
    expect(inMemory('board')).toBe(11)
    const { store } = db.engine
    const dropAndFail = (): never => {
      const log = store.catalog.get('test.log')
      if (log) store.catalog.drop(log)
      throw new Error('no')
    }
    expect(() => store.attempt(dropAndFail)).toThrow('no')
    expect(inMemory('board')).toBe(11)
    await add(31, 33)
    expect(await find({ filter: { board: 3 }, sort: { at: 1 } })).toEqual(ofBoard(3, 33))
    db.reopen()
    expect(await checkFile(db.file)).toEqual([])
  })

  it('stay in memory when the disk has no room for them, and no write fails because of it', async () => {
    await add(1, 39)
    const { writer } = db.engine.store
    const run = writer.run.bind(writer)
    let tries = 0
    writer.run = (sql, ...values) => {
      if (sql.includes('FROM temp.recent WHERE idx = ? ORDER BY')) {
        tries++
        throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
      }
      run(sql, ...values)
    }
    expect(await add(40, 45)).toMatchObject({ ok: 1, n: 6 })
    expect(inMemory('board')).toBe(25)
    const before = tries
    // The move is not tried again with every commit.
    for (const n of range(46, 55)) await add(n, n)
    expect(tries - before).toBeLessThan(5)
    writer.run = run
    expect(await find({ filter: { board: 3 }, sort: { at: -1 } })).toEqual(ofBoard(3, 55).toReversed())
    await add(56, 75)
    await settle()
    expect(inMemory('board')).toBe(0)
    db.reopen()
    expect(await checkFile(db.file)).toEqual([])
  })
})

describe('a transaction', () => {
  let number = 0
  const within = (): Document => ({
    lsid: { id: new Binary(Buffer.alloc(16, ++number), 4) },
    txnNumber: 1,
    autocommit: false
  })
  const newestOfBoard = { filter: { board: 2 }, sort: { at: -1 } }

  it('reads entries in memory as they were when it began', async () => {
    await add(1, 33)
    const own = within()
    expect(await find({ ...newestOfBoard, ...own, startTransaction: true })).toEqual(ofBoard(2, 33).toReversed())
    expect(inMemory('board')).toBe(13)
    await add(34, 60)
    await settle()
    await db.run({ delete: 'log', deletes: [{ q: { _id: 30 }, limit: 1 }] })
    expect(inMemory('board')).toBe(0)
    expect(await find({ ...newestOfBoard, ...own })).toEqual(ofBoard(2, 33).toReversed())
    await db.run({ commitTransaction: 1, ...own })
    // The same reader, for another transaction.
    const now = ofBoard(2, 60).filter((n) => n !== 30)
    expect(await find({ ...newestOfBoard, ...within(), startTransaction: true })).toEqual(now.toReversed())
  })

  it('has many of them moved to the file before it begins, unless the disk has no room', async () => {
    await db.close()
    db = await openInProcess({ recentEntries: 1000 })
    await db.run({ createIndexes: 'log', indexes: [{ key: { board: 1, at: -1 }, name: 'board' }] })
    await add(1, 656)
    expect(inMemory('board')).toBe(400)
    const { recent } = db.engine.store
    const { moveAll } = recent
    recent.moveAll = () => {}
    expect(await find({ ...newestOfBoard, ...within(), startTransaction: true, batchSize: 2000 })).toEqual(
      ofBoard(2, 656).toReversed()
    )
    recent.moveAll = moveAll
    expect(await find({ ...newestOfBoard, ...within(), startTransaction: true, batchSize: 2000 })).toEqual(
      ofBoard(2, 656).toReversed()
    )
    expect(inMemory('board')).toBe(0)
  })
})
