import { Schema, type Connection } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { connectTestDatabase } from '../../../testing/test-database.ts'
import { inWindows } from './in-windows.ts'

let connection: Connection
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  return database.close
})

test.each([
  ['nothing', [], []],
  ['the whole of one window', ['a', 'a'], [[0, 1]]],
  ['every window, the last that is not full too', ['a', 'b', 'b', 'b', 'a'], [[0], [4]]],
  ['windows that end with the last', ['b', 'a', 'a', 'a'], [[1], [2, 3]]]
])('finds in %s', async (_, names, expected) => {
  const model = connection.model<{ _id: number; name: string }>('Row', new Schema({ _id: Number, name: String }))
  await model.insertMany(names.map((name, _id) => ({ _id, name })))
  const found: number[][] = []
  for await (const ids of inWindows(model, { name: 'a' }, 2)) found.push(ids)
  expect(found).toEqual(expected)
  await model.deleteMany({})
  connection.deleteModel('Row')
})
