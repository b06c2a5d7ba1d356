import { testFolder } from '@batti/kit/node/testing'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Binary } from 'bson'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkFile } from '../maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import { commitWholeWrites } from '../../test/whole-commits.ts'
import { openStore } from './store.ts'

describe('a full disk', () => {
  let db: InProcess
  beforeEach(async () => {
    db = await openInProcess()
  })
  afterEach(() => db.close())

  it('answers with an error, keeps acknowledged writes, and continues when there is room again', async () => {
    const { writer } = db.engine.store
    await db.run({ createIndexes: 'things', indexes: [{ key: { n: 1 }, name: 'n_1', unique: true }] })
    expect(await db.run({ insert: 'things', documents: [{ _id: 1, n: 1 }] })).toMatchObject({ ok: 1, n: 1 })
    // SQLite's own page limit answers SQLITE_FULL, like a full disk.
    const [pages] = writer.get('PRAGMA page_count') ?? [0]
    writer.exec(`PRAGMA max_page_count = ${Number(pages) + 5}`)
    const large = 'x'.repeat(100_000)
    const refused = await db.run({ insert: 'things', documents: [{ _id: 2, n: 2, large }] })
    expect(refused).toMatchObject({ ok: 0, code: 14031 })
    expect(await db.run({ find: 'things', filter: { _id: 2 } })).toMatchObject({ cursor: { firstBatch: [] } })
    expect(await db.run({ update: 'things', updates: [{ q: { _id: 1 }, u: { $set: { n: 5 } } }] })).toMatchObject({
      ok: 1,
      nModified: 1
    })
    writer.exec('PRAGMA max_page_count = 1000000')
    expect(await db.run({ insert: 'things', documents: [{ _id: 2, n: 2, large }] })).toMatchObject({ ok: 1, n: 1 })
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 2 })
    db.reopen()
    expect(await checkFile(db.file)).toEqual([])
  })

  it('fails every write that shared the commit, and none of them is stored in part', async () => {
    await db.run({ create: 'things' })
    const { writer } = db.engine.store
    const [pages] = writer.get('PRAGMA page_count') ?? [0]
    writer.exec(`PRAGMA max_page_count = ${Number(pages) + 8}`)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.run({ insert: 'things', documents: [{ _id: n, large: 'x'.repeat(5000) }] })
      )
    )
    writer.exec('PRAGMA max_page_count = 1000000')
    const acknowledged = answers.filter(({ ok }) => ok === 1).length
    expect(acknowledged).toBeLessThan(20)
    expect(await db.run({ count: 'things', query: { _id: { $gte: 0 } } })).toMatchObject({ n: acknowledged })
    expect(await db.run({ count: 'things' })).toMatchObject({ n: acknowledged })
  })
})

it('a commit that fails at its end leaves the number of documents right, after a kill too', async () => {
  const db = await openInProcess()
  await db.run({ create: 'things' })
  db.reopen()
  const { writer } = db.engine.store
  const { exec } = writer
  const full = vi.spyOn(writer, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw Object.assign(new Error('full'), { errcode: 13 })
    exec(sql)
  })
  expect(await db.run({ insert: 'things', documents: [{ _id: 1 }] })).toMatchObject({ ok: 0, code: 14031 })
  full.mockRestore()
  expect(await db.run({ count: 'things' })).toMatchObject({ n: 0 })
  expect(await db.run({ insert: 'things', documents: [{ _id: 2 }] })).toMatchObject({ ok: 1 })
  db.kill()
  expect(await db.run({ count: 'things' })).toMatchObject({ n: 1 })
  await db.close()
})

describe('a damaged file', () => {
  let folder: string
  beforeEach(() => {
    folder = testFolder('damaged')
  })

  it('is reported in one sentence, and nothing is overwritten', async () => {
    const file = join(folder, 'batti.db')
    writeFileSync(file, 'these are holiday pictures, not a database'.repeat(100))
    const before = readFileSync(file)
    expect(() => openStore(file)).toThrow(/damaged or not a database/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is detected when its pages are torn', async () => {
    const db = await openInProcess()
    await db.run({
      insert: 'things',
      documents: Array.from({ length: 2000 }, (_, n) => ({ _id: n, text: 'x'.repeat(200) }))
    })
    db.engine.close()
    const torn = join(folder, 'batti.db')
    const bytes = readFileSync(db.file)
    bytes.fill(0xff, 4096, 4096 * 4)
    writeFileSync(torn, bytes)
    const found = await checkFile(torn).then(
      (faults) => faults.length,
      (error: Error) => error.message
    )
    expect(found).not.toBe(0)
    truncateSync(torn, 5000)
    expect(() => openStore(torn)).toThrow(/damaged/)
    db.reopen()
    await db.close()
  })
})

describe('a file in the first layout', () => {
  it('is migrated when it is opened: obsolete entries of sparse indexes are removed', async () => {
    const db = await openInProcess()
    await db.run({
      createIndexes: 'things',
      indexes: [{ key: { 'e.a': 1 }, name: 'e', unique: true, sparse: true }]
    })
    await db.run({
      insert: 'things',
      documents: [
        { _id: 1, e: [] },
        { _id: 2, e: [{ a: 5 }] }
      ]
    })
    const { store } = db.engine
    const index = store.catalog.get('test.things')?.indexes[1]
    // In the first layout an empty array had the key of null.
    store.write(() => store.writer.run(`INSERT INTO index_${index?.id ?? 0}(key, rid) VALUES(?, 1)`, Buffer.from([10])))
    store.write(() => store.writer.exec('ALTER TABLE indexes DROP COLUMN merged; PRAGMA user_version = 1'))
    store.flush()
    db.engine.close()
    expect(await checkFile(db.file)).toEqual([])
    db.reopen()
    expect(await checkFile(db.file)).toEqual([])
    expect(await db.run({ insert: 'things', documents: [{ e: [] }, { e: [{}] }] })).toMatchObject({ n: 2 })
    expect(db.engine.store.format).toBe(1)
    db.reopen()
    expect(db.engine.store.format).toBe(6)
    await db.close()
  })
})

describe('a slow disk', () => {
  let db: InProcess
  let underWay: ((error: Error | null) => void)[]
  let lost: Error[]
  beforeEach(async () => {
    underWay = []
    lost = []
    let held = false
    db = await openInProcess({
      syncFile: (_, done) => (held ? void underWay.push(done) : setImmediate(done, null)),
      onLost: (cause) => lost.push(cause)
    })
    await db.run({ insert: 'things', documents: [{ _id: 1, n: 1 }] })
    await db.run({ aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} })
    held = true
  })
  afterEach(() => db.close())

  /** Starts a write and waits until it is committed and its sync has been requested. */
  const write = async (): Promise<{ answer: Promise<unknown>; isAnswered: () => boolean }> => {
    let answered = false
    const answer = db.run({ update: 'things', updates: [{ q: { _id: 1 }, u: { $set: { n: 2 } } }] }).finally(() => {
      answered = true
    })
    while (underWay.length === 0) await new Promise(setImmediate)
    return { answer, isAnswered: () => answered }
  }

  it('delays writers, not readers', async () => {
    const { answer, isAnswered } = await write()
    expect(await db.run({ find: 'things', filter: { _id: 1 } })).toMatchObject({ cursor: { firstBatch: [{ n: 2 }] } })
    expect(isAnswered()).toBe(false)
    underWay.shift()?.(null)
    expect(await answer).toMatchObject({ ok: 1, nModified: 1 })
  })

  it('delays a write that changed nothing, and a read that asks for it', async () => {
    await write()
    const same = db.run({ update: 'things', updates: [{ q: { _id: 1 }, u: { $set: { n: 2 } } }] })
    const majority = db.run({ find: 'things', filter: { _id: 1 }, readConcern: { level: 'majority' } })
    const answered: unknown[] = []
    for (const command of [same, majority]) void command.then((answer) => answered.push(answer))
    // A command that did not wait would be answered before this one.
    await db.run({ find: 'things', filter: { _id: 1 } })
    expect(answered).toEqual([])
    underWay.shift()?.(null)
    expect(await same).toMatchObject({ ok: 1, n: 1, nModified: 0 })
    expect(await majority).toMatchObject({ cursor: { firstBatch: [{ n: 2 }] } })
  })

  it('delays the events of a change stream', async () => {
    const { changes } = db.engine
    const { answer } = await write()
    expect(changes.read(0, 10)).toEqual([])
    underWay.shift()?.(null)
    await answer
    expect(changes.read(0, 10)).toMatchObject([{ event: { operationType: 'update' } }])
  })

  it('stops everything when its sync fails: no write is acknowledged', async () => {
    const { answer } = await write()
    underWay.shift()?.(new Error('EIO: i/o error, fdatasync'))
    expect(await answer).toMatchObject({ ok: 0, code: 14031, errmsg: expect.stringMatching(/disk failed/) })
    expect(lost).toHaveLength(1)
    expect(await db.run({ insert: 'things', documents: [{ _id: 2 }] })).toMatchObject({ ok: 0, code: 14031 })
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 1 })
  })
})

describe('a commit', () => {
  commitWholeWrites()

  it('contains all writes of one turn of the event loop', async () => {
    const db = await openInProcess()
    await db.run({ create: 'things' })
    let commits = 0
    db.engine.store.onCommit(
      () => {},
      () => {
        commits++
      }
    )
    await Promise.all(Array.from({ length: 50 }, (_, n) => db.run({ insert: 'things', documents: [{ _id: n }] })))
    expect(commits).toBe(1)
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 50 })
    await db.close()
  })
})

describe('a full disk beside other clients', () => {
  let db: InProcess
  beforeEach(async () => {
    db = await openInProcess()
    await db.run({ insert: 'things', documents: [{ _id: 1, n: 1 }] })
    const [pages] = db.engine.store.writer.get('PRAGMA page_count') ?? [0]
    db.engine.store.writer.exec(`PRAGMA max_page_count = ${Number(pages)}`)
  })
  afterEach(() => db.close())

  it('affects writers only', async () => {
    const write = db.run({ insert: 'things', documents: [{ _id: 2, large: 'x'.repeat(100_000) }] })
    const [hello, read, counted, majority, indexes, refused] = await Promise.all([
      db.run({ hello: 1 }),
      db.run({ find: 'things' }),
      db.run({ count: 'things' }),
      db.run({ find: 'things', readConcern: { level: 'majority' } }),
      db.run({ listIndexes: 'things' }),
      write
    ])
    expect(refused).toMatchObject({ ok: 0, code: 14031, errmsg: expect.stringMatching(/disk is full/) })
    for (const answer of [hello, read, counted, majority, indexes]) expect(answer).toMatchObject({ ok: 1 })
    expect(majority).toMatchObject({ cursor: { firstBatch: [{ _id: 1 }] } })
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 1 })
  })

  it('does not prevent a stop: what does not fit into the file stays in the log', async () => {
    const { writer } = db.engine.store
    const exec = writer.exec.bind(writer)
    writer.exec = (sql) => {
      if (sql.includes('wal_checkpoint')) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
      exec(sql)
    }
    expect(() => db.reopen()).not.toThrow()
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 1 })
  })

  it('does not affect a transaction that only reads', async () => {
    const within = { lsid: { id: new Binary(Buffer.alloc(16, 9), 4) }, txnNumber: 1, autocommit: false }
    expect(await db.run({ find: 'things', ...within, startTransaction: true })).toMatchObject({ ok: 1 })
    const commit = db.run({ commitTransaction: 1, ...within })
    await db.run({ insert: 'things', documents: [{ _id: 2, large: 'x'.repeat(100_000) }] })
    expect(await commit).toMatchObject({ ok: 1 })
  })
})

describe('a commit that nobody waits for', () => {
  let db: InProcess
  let commits = 0
  beforeEach(async () => {
    db = await openInProcess()
    await db.run({ create: 'things' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    commits = 0
    db.engine.store.onCommit(
      () => {},
      () => {
        commits++
      }
    )
    db.engine.store.write(() => {})
  })
  afterEach(async () => {
    vi.useRealTimers()
    await db.close()
  })

  it('stays open, and is ended for all of them by a write that waits for the disk', async () => {
    await new Promise(setImmediate)
    expect(commits).toBe(0)
    expect(await db.run({ insert: 'things', documents: [{ _id: 4 }] })).toMatchObject({ n: 1 })
    expect(commits).toBe(1)
  })

  it('ends by itself', () => {
    expect(commits).toBe(0)
    vi.advanceTimersToNextTimer()
    expect(commits).toBe(1)
  })
})

describe('released memory', () => {
  it('empties the caches, and open transactions and later reads see the same', async () => {
    const db = await openInProcess()
    try {
      const { engine } = db
      const documents = Array.from({ length: 500 }, (_, index) => ({ _id: index, text: 'x'.repeat(1000) }))
      await db.run({ insert: 'things', documents })
      const within = { lsid: { id: new Binary(Buffer.alloc(16, 1), 4) }, txnNumber: 1, autocommit: false }
      const all = { find: 'things', filter: {}, batchSize: 1000 }
      await db.run({ ...all, ...within, startTransaction: true })
      await db.run({ update: 'things', updates: [{ q: { _id: 0 }, u: { $set: { text: 'new' } } }] })
      const collection = engine.store.catalog.get('test.things')?.id ?? 0
      await db.run({ find: 'things', filter: { _id: 0 } })
      expect(engine.store.cache.peek(collection, 1)).toMatchObject({ _id: 0 })
      engine.releaseMemory()
      expect(engine.store.cache.peek(collection, 1)).toBe(undefined)
      expect(await db.run(all)).toMatchObject({
        cursor: { firstBatch: [{ _id: 0, text: 'new' }, ...documents.slice(1)] }
      })
      expect(await db.run({ ...all, ...within })).toMatchObject({ cursor: { firstBatch: documents } })
    } finally {
      await db.close()
    }
  })
})
