import { testFolder } from '@batti/kit/node/testing'
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openInProcess } from '../../test/in-process.ts'
import { checkFile } from './integrity.ts'

it('finds an index that does not agree with the documents', async () => {
  const db = await openInProcess()
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
  await db.close()
})

it('begins with what is damaged in a file with a page that was written half', async () => {
  const db = await openInProcess()
  const documents = Array.from({ length: 2000 }, (_, _id) => ({ _id, text: 'x'.repeat(200) }))
  await db.run({ insert: 'things', documents })
  const file = join(testFolder('half'), 'batti.db')
  db.engine.close()
  renameSync(db.file, file)
  rmSync(dirname(db.file), { recursive: true })
  const pages = openSync(file, 'r+')
  writeSync(pages, new Uint8Array(512), 0, 512, Math.floor(statSync(file).size / 8192) * 4096 - 512)
  closeSync(pages)
  const [first] = await checkFile(file)
  expect(first).toMatch(/ page \d+/)
})

it.each([
  ['PRAGMA user_version = 99', /was written by a newer version of Batti: start that one/],
  ['CREATE TABLE pictures(name TEXT)', /is a database of another program/]
])('says whose a file is that this program does not know (%s)', async (sql, words) => {
  const folder = testFolder('integrity')
  const file = join(folder, 'batti.db')
  const other = new DatabaseSync(file)
  other.exec(`${sql}; CREATE TABLE collections(id INTEGER, name TEXT)`)
  other.close()
  await expect(checkFile(file)).rejects.toThrow(words)
})
