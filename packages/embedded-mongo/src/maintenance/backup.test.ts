import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EJSON } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../bson/document.ts'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import { backup, restore } from './backup.ts'
import { dumpFolder } from './dump.ts'
import { exportFolder } from './export.ts'
import { importFiles } from './import.ts'
import { checkFile } from './integrity.ts'
import { readStats } from './stats.ts'
import { openDataFolder, type DataFolder } from '../data-folder.ts'
import { openEngine } from '../engine.ts'

describe('moving a database', () => {
  let db: InProcess
  let folder: string
  const source = (): DataFolder => ({ folder, file: db.file, socket: '', reserve: '', lock: '' })
  beforeEach(async () => {
    db = await openInProcess()
    folder = mkdtempSync(join(tmpdir(), 'batti-move-'))
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.runIf(process.platform !== 'win32')(
    'produces files that only the owner can read, whatever the umask',
    async () => {
      const before = process.umask(0)
      try {
        const target = join(folder, 'own.db')
        await backup(source(), target)
        expect(statSync(target).mode & 0o777).toBe(0o600)
      } finally {
        process.umask(before)
      }
    }
  )

  const read = (target: DataFolder, namespace: string): Document[] => {
    const engine = openEngine({ path: target.file })
    const collection = engine.store.catalog.get(namespace)
    const rows = collection ? engine.store.writer.all(`SELECT rid FROM docs_${collection.id} ORDER BY rid`) : []
    const documents = rows.map(([rid]) => {
      const row = collection && engine.rows.byRid(collection, Number(rid))
      return row && collection ? engine.rows.documentOf(collection, row) : {}
    })
    engine.close()
    return documents
  }

  it('calls back when the snapshot is taken: what is written then is not in the copy', async () => {
    await db.run({ insert: 'accounts', documents: [{ _id: 'before' }] })
    const target = join(folder, 'at-snapshot.db')
    await backup(source(), target, async () => {
      await db.run({ insert: 'accounts', documents: [{ _id: 'after' }] })
    })
    expect(read({ ...source(), file: target }, 'test.accounts')).toEqual([{ _id: 'before' }])
  })

  it('backs up one moment while others write, and restores it', async () => {
    await db.run({
      insert: 'accounts',
      documents: [
        { _id: 'a', n: 500 },
        { _id: 'b', n: 500 }
      ]
    })
    await db.run({
      insert: 'ballast',
      documents: Array.from({ length: 5000 }, (_, _id) => ({ _id, text: 'x'.repeat(500) }))
    })
    let writing = true
    let moves = 0
    const work = (async () => {
      const { Binary } = await import('bson')
      for (let number = 1; writing; number++) {
        const within = { lsid: { id: new Binary(Buffer.alloc(16, 3), 4) }, txnNumber: number, autocommit: false }
        await db.run({
          update: 'accounts',
          updates: [{ q: { _id: 'a' }, u: { $inc: { n: -1 } } }],
          ...within,
          startTransaction: true
        })
        await db.run({ update: 'accounts', updates: [{ q: { _id: 'b' }, u: { $inc: { n: 1 } } }], ...within })
        await db.run({ commitTransaction: 1, ...within })
        moves++
        await new Promise(setImmediate)
      }
    })()
    while (moves === 0) await new Promise(setImmediate)
    // A slow disk may take longer for one move than for a backup: then back up again, until others did write meanwhile.
    let target = ''
    let tries = 0
    try {
      await expect
        .poll(async () => {
          const before = moves
          target = join(folder, `backup ${(tries += 1)}.db`)
          await backup(source(), target)
          return moves - before
        })
        .toBeGreaterThan(0)
    } finally {
      writing = false
      await work
    }
    const fresh = openDataFolder(join(folder, 'fresh'))
    expect(await restore(fresh, target, 'now')).toBeNull()
    const balances = read(fresh, 'test.accounts').map(({ n }) => Number(n))
    expect(balances.reduce((sum, n) => sum + n, 0)).toBe(1000)
    expect(read(fresh, 'test.ballast')).toHaveLength(5000)
    expect(await checkFile(fresh.file)).toEqual([])
    // A second restore keeps the file that it replaces.
    const kept = await restore(fresh, target, 'later')
    expect(kept).toContain('before-restore-later')
    expect(await checkFile(kept ?? '')).toEqual([])
    await expect(backup(source(), target)).rejects.toThrow(/never overwrites/)
  })

  it('restores the file that a restore has kept, with the log of a killed server', async () => {
    const backedUp = join(folder, 'backup.db')
    await backup(source(), backedUp)
    await db.run({ insert: 'things', documents: [{ _id: 1 }] })
    const killed = openDataFolder(join(folder, 'killed'))
    for (const suffix of ['', '-wal']) copyFileSync(db.file + suffix, killed.file + suffix)
    const kept = await restore(killed, backedUp, 'once')
    expect(read(killed, 'test.things')).toEqual([])
    await restore(killed, kept ?? '', 'twice')
    expect(read(killed, 'test.things')).toEqual([{ _id: 1 }])
  })

  it('leaves no files beside the backup that it restores, which may be read-only', async () => {
    const medium = join(folder, 'medium')
    mkdirSync(medium)
    await backup(source(), join(medium, 'backup.db'))
    chmodSync(join(medium, 'backup.db'), 0o400)
    const fresh = openDataFolder(join(folder, 'fresh'))
    await restore(fresh, join(medium, 'backup.db'), 'now')
    expect(readdirSync(medium)).toEqual(['backup.db'])
    expect(readdirSync(fresh.folder)).toEqual(['batti.db', 'batti.db-lock'])
    expect(statSync(fresh.file).mode & 0o200).toBe(0o200)
  })

  it('can be run again after it was interrupted between its steps', async () => {
    const backedUp = join(folder, 'backup.db')
    await db.run({ insert: 'things', documents: [{ _id: 1 }] })
    await backup(source(), backedUp)
    const half = openDataFolder(join(folder, 'half'))
    writeFileSync(`${half.file}.restoring`, 'cut off')
    writeFileSync(`${half.file}-wal`, 'the log of the file that was there')
    expect(() => openEngine({ path: half.file })).toThrow(/A restore of .* was interrupted: run it again/)
    await restore(half, backedUp, 'again')
    expect(read(half, 'test.things')).toEqual([{ _id: 1 }])
    expect(readFileSync(`${half.file}.before-restore-again-wal`, 'utf8')).toBe('the log of the file that was there')
  })

  it('refuses a damaged backup', async () => {
    const bad = join(folder, 'bad.db')
    writeFileSync(bad, Buffer.alloc(8192, 1))
    const fresh = openDataFolder(join(folder, 'fresh'))
    await expect(restore(fresh, bad, 'now')).rejects.toThrow(/damaged/)
  })

  it('exports Extended JSON of every type and imports it again, with indexes', async () => {
    const { Decimal128, Double, Long, ObjectId } = await import('bson')
    const document = {
      _id: new ObjectId('0123456789abcdef01234567'),
      long: Long.fromString('9007199254740993'),
      double: new Double(2),
      decimal: Decimal128.fromString('0.10'),
      at: new Date(5),
      list: [1, null, { a: true }]
    }
    await db.run({ insert: 'things', documents: [document] })
    await db.run({ createIndexes: 'things', indexes: [{ key: { long: -1 }, name: 'by_long', unique: true }] })
    const out = join(folder, 'export')
    expect(await exportFolder(db.file, out, null)).toEqual([{ namespace: 'test.things', count: 1 }])
    const [line = ''] = readFileSync(join(out, 'test.things.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(line)).toMatchObject({
      _id: { $oid: '0123456789abcdef01234567' },
      long: { $numberLong: '9007199254740993' },
      double: { $numberDouble: '2.0' },
      decimal: { $numberDecimal: '0.10' }
    })
    const fresh = openDataFolder(join(folder, 'fresh'))
    await importFiles(fresh, out, null)
    expect(EJSON.stringify(read(fresh, 'test.things')[0], { relaxed: false })).toBe(line)
    expect((await readStats(fresh.file)).collections).toMatchObject([
      { namespace: 'test.things', count: 1, indexes: [{ name: '_id_' }, { name: 'by_long' }] }
    ])
  })

  it('keeps the collation of a collection and the dates in an index filter', async () => {
    const since = new Date('2026-01-01T00:00:00Z')
    await db.run({ create: 'people', collation: { locale: 'en', strength: 2 } })
    await db.run({
      createIndexes: 'people',
      indexes: [{ key: { name: 1 }, name: 'recent', unique: true, partialFilterExpression: { at: { $gte: since } } }]
    })
    await db.run({ insert: 'people', documents: [{ _id: 1, name: 'Ann', at: new Date('2026-02-01T00:00:00Z') }] })
    const out = join(folder, 'export')
    await exportFolder(db.file, out, null)
    const fresh = openDataFolder(join(folder, 'fresh'))
    await importFiles(fresh, out, null)
    const engine = openEngine({ path: fresh.file })
    const people = engine.store.catalog.get('test.people')
    expect(people?.options['collation']).toMatchObject({ locale: 'en', strength: 2 })
    expect(people?.indexes[1]?.spec).toMatchObject({
      unique: true,
      partialFilterExpression: { at: { $gte: since } },
      collation: { locale: 'en', strength: 2 }
    })
    engine.close()
    expect(await checkFile(fresh.file)).toEqual([])
  })

  it('writes dumps like mongodump and restores them: bytes, names, options, indexes', async () => {
    const { calculateObjectSize, deserialize, ObjectId } = await import('bson')
    const since = new Date('2026-01-01T00:00:00Z')
    await db.run({
      insert: 'things',
      documents: [{ _id: new ObjectId(), at: since, list: [1, { a: null }] }, { _id: 2 }]
    })
    await db.run({
      createIndexes: 'things',
      indexes: [{ key: { at: 1 }, name: 'recent', unique: true, partialFilterExpression: { at: { $gte: since } } }]
    })
    const out = join(folder, 'dump')
    expect(await dumpFolder(db.file, out, null)).toContainEqual({ namespace: 'test.things', count: 2 })
    const bytes = readFileSync(join(out, 'test', 'things.bson'))
    const first = bytes.subarray(0, bytes.readInt32LE(0))
    expect(deserialize(first)).toMatchObject({ at: since, list: [1, { a: null }] })
    expect(bytes.length).toBe(first.length + calculateObjectSize({ _id: 2 }))
    expect(JSON.parse(readFileSync(join(out, 'test', 'things.metadata.json'), 'utf8'))).toEqual({
      options: {},
      indexes: [
        { v: { $numberInt: '2' }, key: { _id: { $numberInt: '1' } }, name: '_id_' },
        {
          v: { $numberInt: '2' },
          key: { at: { $numberInt: '1' } },
          name: 'recent',
          unique: true,
          partialFilterExpression: { at: { $gte: { $date: { $numberLong: String(since.getTime()) } } } }
        }
      ],
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      collectionName: 'things',
      type: 'collection'
    })
    const fresh = openDataFolder(join(folder, 'fresh'))
    await importFiles(fresh, out, null)
    expect(read(fresh, 'test.things')).toEqual(read(source(), 'test.things'))
    expect(
      (await readStats(fresh.file)).collections.find(({ namespace }) => namespace === 'test.things')
    ).toMatchObject({
      indexes: [{ name: '_id_' }, { name: 'recent' }]
    })
    expect(await checkFile(fresh.file)).toEqual([])
    writeFileSync(join(out, 'test', 'things.bson'), bytes.subarray(0, bytes.length - 1))
    await expect(importFiles(openDataFolder(join(folder, 'other')), out, null)).rejects.toThrow(/cut off/)
  })

  it('imports what mongoexport writes: relaxed lines, and an array', async () => {
    const lines = join(folder, 'people.json')
    writeFileSync(
      lines,
      '{"_id":{"$oid":"0123456789abcdef01234567"},"n":5,"at":{"$date":"2026-01-02T03:04:05Z"}}\n{"_id":"b","n":2.5}\n'
    )
    const array = join(folder, 'array.json')
    writeFileSync(array, '[{"_id":1},\n{"_id":2}]')
    const fresh = openDataFolder(join(folder, 'fresh'))
    await importFiles(fresh, lines, 'home.people')
    await importFiles(fresh, array, 'home.array')
    expect(read(fresh, 'home.people')).toMatchObject([
      { n: 5, at: new Date('2026-01-02T03:04:05Z') },
      { _id: 'b', n: 2.5 }
    ])
    expect(read(fresh, 'home.array')).toHaveLength(2)
    writeFileSync(lines, '{"_id": 1}\nnot json\n')
    await expect(importFiles(fresh, lines, 'home.broken')).rejects.toThrow(/line 2/)
  })

  it('finds an index that does not agree with the documents', async () => {
    await db.run({
      insert: 'things',
      documents: [
        { _id: 1, a: 1 },
        { _id: 2, a: 2 }
      ]
    })
    await db.run({ createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a_1' }] })
    expect(await checkFile(db.file)).toEqual([])
    const index = db.engine.store.catalog.get('test.things')?.indexes[1]
    db.engine.store.write(() => db.engine.store.writer.exec(`DELETE FROM index_${index?.id ?? 0} WHERE rid = 1`))
    db.engine.store.flush()
    expect(await checkFile(db.file)).toEqual([
      'test.things: document 1 is missing in index a_1',
      'test.things: index a_1 has 1 entries, the documents ask for 2'
    ])
  })
})
