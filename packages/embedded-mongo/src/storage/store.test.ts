import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFile } from '../maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import { openStore } from './store.ts'

describe('a full disk', () => {
  let db: InProcess
  beforeEach(async () => {
    db = await openInProcess()
  })
  afterEach(() => db.close())

  it('answers an error, keeps what was acknowledged and goes on when there is room again', async () => {
    const { writer } = db.engine.store
    await db.run({ createIndexes: 'things', indexes: [{ key: { n: 1 }, name: 'n_1', unique: true }] })
    expect(await db.run({ insert: 'things', documents: [{ _id: 1, n: 1 }] })).toMatchObject({ ok: 1, n: 1 })
    // SQLite's own limit of pages answers SQLITE_FULL, as a full disk does.
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

  it('fails every write that shared the commit, and none of them is half there', async () => {
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

describe('a damaged file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'batti-damaged-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is said in one sentence, and nothing is overwritten', async () => {
    const file = join(folder, 'batti.db')
    writeFileSync(file, 'these are holiday pictures, not a database'.repeat(100))
    const before = readFileSync(file)
    expect(() => openStore(file)).toThrow(/damaged or not a database/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is found when its pages are torn', async () => {
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

describe('a commit', () => {
  it('is shared by what is written in one turn of the event loop', async () => {
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
    expect(commits).toBeLessThan(10)
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 50 })
    await db.close()
  })
})
