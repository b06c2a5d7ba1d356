import { testFolder } from '@batti/kit/node/testing'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { openInProcess } from '../../test/in-process.ts'
import { checkFile } from '../maintenance/integrity.ts'
import { openStore } from './store.ts'

describe('opening a database', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = testFolder('open')
    file = join(folder, 'batti.db')
  })

  it('caches as many pages in memory as configured', () => {
    for (const [pageCacheBytes, kib] of [
      [4 * 1024 * 1024, 4096],
      [undefined, 32_768]
    ] as const) {
      const store = openStore(file, pageCacheBytes === undefined ? {} : { pageCacheBytes })
      expect(store.writer.get('PRAGMA cache_size')).toEqual([-kib])
      store.close()
    }
  })

  it('refuses a file of 0 bytes, which is not a database, and leaves it unchanged', async () => {
    writeFileSync(file, '')
    expect(() => openStore(file)).toThrow(/is empty, which no database is/)
    await expect(checkFile(file)).rejects.toThrow(/is empty/)
    expect(statSync(file).size).toBe(0)
  })

  it.runIf(process.platform !== 'win32')('says that a path is too long, also one that a link shortens', () => {
    const deep = join(folder, ...Array.from({ length: 8 }, () => 'long-name-'.repeat(6)))
    mkdirSync(deep, { recursive: true })
    symlinkSync(deep, join(folder, 'link'))
    for (const path of [deep, join(folder, 'link')])
      expect(() => openStore(join(path, 'batti.db'))).toThrow(/its path is longer than 504 bytes/)
  })

  it('starts over when a process was killed while it created the file', () => {
    writeFileSync(`${file}.new`, '')
    openStore(file).close()
    const again = openStore(file)
    expect(again.catalog.all()).toEqual([])
    again.close()
  })

  it('never reads the log of a removed file into a new one', async () => {
    const db = await openInProcess({ checkpointBytes: 1 })
    await db.run({ insert: 'things', documents: [{ _id: 1 }] })
    copyFileSync(`${db.file}-wal`, `${file}-wal`)
    await db.close()
    expect(() => openStore(file)).toThrow(/is missing, but .*-wal, its latest commits, is there: put the file back/)
    rmSync(`${file}-wal`)
    openStore(file).close()
  })

  it('says that commits behind a damaged place of the log cannot be read', async () => {
    const said: string[] = []
    const db = await openInProcess({ onDamage: (words) => said.push(words) })
    for (let _id = 1; _id <= 20; _id++) await db.run({ insert: 'things', documents: [{ _id }] })
    db.kill()
    expect(said).toEqual([])
    for (let _id = 21; _id <= 40; _id++) await db.run({ insert: 'things', documents: [{ _id }] })
    const log = `${db.file}-wal`
    const [middle, bytes] = [Math.floor(statSync(log).size / 2), readFileSync(log)]
    for (const suffix of ['', '-wal']) copyFileSync(db.file + suffix, join(folder, `batti.db${suffix}`))
    bytes.fill(0xff, middle, middle + 4096)
    writeFileSync(`${file}-wal`, bytes)
    const store = openStore(file, { onDamage: (words) => said.push(words) })
    expect(said).toEqual([expect.stringMatching(/^The log of .* is damaged: its last \d\d commits cannot be read\. /)])
    store.close()
    openStore(file, { onDamage: (words) => said.push(words) }).close()
    expect(said).toHaveLength(1)
    await db.close()
  })

  it.each([
    ['its magic number', 3],
    ['its page size', 9],
    ['its salt', 20],
    ['its checksum', 26]
  ])('says that no commit can be read when the header of the log is damaged, at %s', async (_what, at) => {
    const said: string[] = []
    const db = await openInProcess()
    for (let _id = 1; _id <= 3; _id++) await db.run({ insert: 'things', documents: [{ _id }] })
    db.kill()
    for (let _id = 4; _id <= 8; _id++) await db.run({ insert: 'things', documents: [{ _id }] })
    for (const suffix of ['', '-wal']) copyFileSync(db.file + suffix, file + suffix)
    const log = readFileSync(`${file}-wal`)
    log.writeUInt8(log.readUInt8(at) ^ 0xff, at)
    writeFileSync(`${file}-wal`, log)
    openStore(file, { onDamage: (words) => said.push(words) }).close()
    expect(said).toEqual([expect.stringMatching(/^The log of .* is damaged: its last \d+ commits cannot be read\. /)])
    await db.close()
  })

  it('says nothing of a log that a killed process had just begun anew, over commits that are in the file', async () => {
    const said: string[] = []
    const [db, other] = [await openInProcess(), await openInProcess()]
    await db.run({ insert: 'things', documents: [{ _id: 1 }] })
    await other.run({ insert: 'things', documents: [{ _id: 1 }] })
    const log = readFileSync(`${db.file}-wal`)
    readFileSync(`${other.file}-wal`).copy(log, 0, 0, 32)
    db.engine.close()
    copyFileSync(db.file, file)
    writeFileSync(`${file}-wal`, log)
    const store = openStore(file, { onDamage: (words) => said.push(words) })
    expect(said).toEqual([])
    expect(store.catalog.get('test.things')?.count).toBe(1)
    store.close()
    await other.close()
    await db.close()
  })

  it('writes the entries of an index under a collation anew in a file of an older format', async () => {
    const db = await openInProcess()
    const collation = { locale: 'ne', strength: 1 }
    await db.run({ createIndexes: 'rooms', indexes: [{ key: { name: 1 }, name: 'name', unique: true, collation }] })
    await db.run({ insert: 'rooms', documents: [{ _id: 1, name: 'कोठा १' }] })
    const { writer } = db.engine.store
    const index = db.engine.store.catalog.all()[0]?.indexes.find(({ name }) => name === 'name')
    writer.exec(`DELETE FROM index_${index?.id ?? 0}; PRAGMA user_version = 5`)
    db.reopen()
    const found = await db.run({ find: 'rooms', filter: { name: 'कोठा 1' }, collation })
    expect(found).toMatchObject({ cursor: { firstBatch: [{ _id: 1 }] } })
    expect(await checkFile(db.file)).toEqual([])
    await db.close()
  })

  it('refuses a database of another program', () => {
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE pictures(name TEXT)')
    other.close()
    const before = readFileSync(file)
    expect(() => openStore(file)).toThrow(/another program/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('writes nothing when nothing is missing, so that the data can be read on a full disk', async () => {
    const db = await openInProcess()
    await db.run({ insert: 'things', documents: [{ _id: 1 }] })
    db.engine.store.close()
    const before = readFileSync(db.file)
    db.engine.store.writer.database.open()
    db.engine.store.writer.database.close()
    const store = openStore(db.file)
    expect(store.catalog.get('test.things')?.count).toBe(1)
    expect(statSync(`${db.file}-wal`).size).toBe(0)
    store.close()
    expect(readFileSync(db.file).equals(before)).toBe(true)
    rmSync(db.file)
  })
})

describe('a process that was killed', () => {
  it('leaves counts that are recounted', async () => {
    const db = await openInProcess()
    await db.run({ insert: 'things', documents: Array.from({ length: 50 }, (_, _id) => ({ _id })) })
    await db.run({ delete: 'things', deletes: [{ q: { _id: { $lt: 20 } }, limit: 0 }] })
    const copy = mkdtempSync(join(tmpdir(), 'batti-killed-'))
    // Copies the files while the server runs.
    for (const suffix of ['', '-wal']) writeFileSync(join(copy, `batti.db${suffix}`), readFileSync(db.file + suffix))
    const store = openStore(join(copy, 'batti.db'))
    expect(store.catalog.get('test.things')?.count).toBe(30)
    store.close()
    expect(await checkFile(join(copy, 'batti.db'))).toEqual([])
    rmSync(copy, { recursive: true, force: true })
    await db.close()
  })
})

describe('deleted data', () => {
  it('is overwritten, so that the file does not keep words that a person deleted', async () => {
    const db = await openInProcess()
    const secret = 'the words of a person'
    const documents = Array.from({ length: 300 }, (_, _id) => ({
      _id,
      text: secret.repeat(20),
      name: `${secret} ${_id}`
    }))
    await db.run({ createIndexes: 'things', indexes: [{ key: { name: 1 }, name: 'name' }] })
    await db.run({ insert: 'things', documents })
    await db.run({ insert: 'things', documents: [{ _id: 'stays' }] })
    db.reopen()
    expect(readFileSync(db.file).includes(secret)).toBe(true)
    await db.run({ delete: 'things', deletes: [{ q: { name: { $exists: true } }, limit: 0 }] })
    db.reopen()
    expect(readFileSync(db.file).includes(secret)).toBe(false)
    await db.close()
  })
})
