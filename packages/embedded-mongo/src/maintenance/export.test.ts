import { testFolder } from '@batti/kit/node/testing'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EJSON } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documentsIn } from '../../test/documents-in.ts'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import { openDataFolder } from '../data-folder.ts'
import { openEngine } from '../engine.ts'
import { backup } from './backup.ts'
import { dumpFolder } from './dump.ts'
import { exportFolder } from './export.ts'
import { importFiles } from './import.ts'
import { checkFile } from './integrity.ts'
import { readStats } from './stats.ts'

describe('an export', () => {
  let db: InProcess
  let folder: string
  beforeEach(async () => {
    db = await openInProcess()
    folder = testFolder('export')
  })
  afterEach(async () => {
    await db.close()
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
    expect(EJSON.stringify(documentsIn(fresh.file, 'test.things')[0], { relaxed: false })).toBe(line)
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
    expect(await dumpFolder(db.file, out, null)).toContainEqual({ namespace: 'test.things', count: 2, lost: 0 })
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
    expect(documentsIn(fresh.file, 'test.things')).toEqual(documentsIn(db.file, 'test.things'))
    expect(
      (await readStats(fresh.file)).collections.find(({ namespace }) => namespace === 'test.things')
    ).toMatchObject({
      indexes: [{ name: '_id_' }, { name: 'recent' }]
    })
    expect(await checkFile(fresh.file)).toEqual([])
    writeFileSync(join(out, 'test', 'things.bson'), bytes.subarray(0, bytes.length - 1))
    await expect(importFiles(openDataFolder(join(folder, 'other')), out, null)).rejects.toThrow(/cut off/)
  })

  it('dumps what can be read of a damaged file, tells how much is lost, and names the file when a backup is refused', async () => {
    const documents = Array.from({ length: 5000 }, (_, _id) => ({ _id, text: 'x'.repeat(500) }))
    await db.run({ insert: 'things', documents })
    await db.run({ insert: 'others', documents: [{ _id: 1 }] })
    db.engine.close()
    const bytes = readFileSync(db.file)
    const middle = Math.floor(bytes.length / 2)
    writeFileSync(db.file, bytes.fill(0xff, middle, middle + 8192))
    const copy = join(folder, 'copy.db')
    await expect(backup({ ...openDataFolder(folder), file: db.file }, copy)).rejects.toThrow(
      `file ${db.file} is damaged`
    )

    const out = join(folder, 'dump')
    const [things, others] = await dumpFolder(db.file, out, null)
    expect(others).toEqual({ namespace: 'test.others', count: 1, lost: 0 })
    expect(things?.lost).toBeGreaterThan(0)
    expect(things?.lost).toBeLessThan(100)
    const fresh = openDataFolder(join(folder, 'fresh'))
    await importFiles(fresh, out, null)
    const saved = documentsIn(fresh.file, 'test.things')
    expect(saved).toHaveLength(5000 - (things?.lost ?? 0))
    const ids = saved.map(({ _id }) => _id)
    expect([ids.at(0), ids.at(-1)]).toEqual([0, 4999])
    db.engine = openEngine({ path: fresh.file })
  })

  it('dumps a file whose catalog cannot tell the last row of a collection, or how many documents another has', async () => {
    const documents = Array.from({ length: 500 }, (_, _id) => ({ _id, text: `${'x'.repeat(500)} of ${_id}` }))
    await db.run({ insert: 'things', documents })
    await db.run({ insert: 'others', documents })
    db.engine.close()
    const file = new DatabaseSync(db.file)
    // As a process that was killed leaves it.
    file.exec("UPDATE collections SET count = -1 WHERE namespace = 'test.others'")
    const indexOfOthers = 'SELECT i.id FROM indexes i JOIN collections c ON c.id = collection WHERE namespace = ?'
    const [index] = file.prepare(indexOfOthers).all('test.others')
    const [root] = file
      .prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?')
      .all(`index_${Number(index?.['id'])}`)
    const [page] = file.prepare('PRAGMA page_size').all()
    file.close()
    const pageBytes = Number(page?.['page_size'])
    const bytes = readFileSync(db.file)
    const lastOfThings = Math.floor(bytes.indexOf('x of 499') / pageBytes)
    for (const damaged of [lastOfThings, Number(root?.['rootpage']) - 1])
      bytes.fill(0xff, damaged * pageBytes, (damaged + 1) * pageBytes)
    writeFileSync(db.file, bytes)

    const out = join(folder, 'dump')
    const [things, others] = await dumpFolder(db.file, out, null)
    expect(others).toEqual({ namespace: 'test.others', count: 500, lost: Infinity })
    expect(things?.lost).toBeGreaterThan(0)
    expect(things?.lost).toBeLessThan(5)
    const fresh = openDataFolder(join(folder, 'fresh'))
    await importFiles(fresh, out, null)
    expect(documentsIn(fresh.file, 'test.things')).toEqual(documents.slice(0, things?.count))
    db.engine = openEngine({ path: fresh.file })
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
    expect(documentsIn(fresh.file, 'home.people')).toMatchObject([
      { n: 5, at: new Date('2026-01-02T03:04:05Z') },
      { _id: 'b', n: 2.5 }
    ])
    expect(documentsIn(fresh.file, 'home.array')).toHaveLength(2)
    writeFileSync(lines, '{"_id": 1}\nnot json\n')
    await expect(importFiles(fresh, lines, 'home.broken')).rejects.toThrow(/line 2/)
  })
})
