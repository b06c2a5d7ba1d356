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
