import type { mongo } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { connectTestDatabase } from '../../../testing/test-database.ts'
import { insertNew } from './insert-new.ts'

let rows: mongo.Collection<{ _id: number }>

beforeAll(async () => {
  const { connection, close } = await connectTestDatabase()
  rows = connection.collection<{ _id: number }>('rows')
  return close
})

const insert = (batch: { _id: number }[]) => rows.insertMany(batch, { ordered: false })
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ _id: from + index }))

test('rows that are stored already are skipped, in every batch, and the others are returned', async () => {
  await insert(numbers(490, 20))
  const inserted = await insertNew(numbers(0, 1200), insert)
  expect(inserted.map(({ _id }) => _id)).toEqual([...numbers(0, 490), ...numbers(510, 690)].map(({ _id }) => _id))
  expect(await rows.countDocuments()).toBe(1200)
})

test('an error of another kind beside duplicates is thrown', async () => {
  const error = Object.assign(new Error('bulk'), {
    code: 11000,
    writeErrors: [
      { index: 0, code: 11000 },
      { index: 1, code: 14031 }
    ]
  })
  await expect(insertNew(numbers(0, 2), () => Promise.reject(error))).rejects.toBe(error)
})

test('a connection that was lost in the middle stored nothing that is known, and is thrown', async () => {
  const error = Object.assign(new Error('connection 3 to /db/mongo.sock closed'), { writeErrors: [] })
  await expect(insertNew(numbers(0, 2), () => Promise.reject(error))).rejects.toBe(error)
})

test('nothing to insert asks nothing', async () => {
  expect(await insertNew([], () => Promise.reject(new Error('asked')))).toEqual([])
})
