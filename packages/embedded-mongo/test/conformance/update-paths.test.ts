import type { Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()
const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents as never[])
const update = (filter: object, change: Document): Promise<unknown> => battery.things.updateOne(filter, change)

describe('a path that cannot exist', () => {
  const changes: Document[] = [
    { $pop: { 'a.b': 1 } },
    { $pull: { 'a.b': 1 } },
    { $pullAll: { 'a.b': [1] } },
    { $rename: { 'a.b': 'c' } }
  ]
  it.each(changes)('is refused by %j', async (change) => {
    for (const [a, words] of [
      [5, '5'],
      [null, 'null'],
      [[7], '[ 7 ]']
    ]) {
      await battery.things.replaceOne({ _id: 1 as never }, { a }, { upsert: true })
      expect(await errorOf(update({}, change))).toMatchObject({
        code: 28,
        message: `Cannot use the part (b) of (a.b) to traverse the element ({a: ${words as string}})`
      })
    }
  })

  it.each([...changes, { $pop: { 'a.c.3.b': 1 } }, { $rename: { 'a.c.3': 'b' } }])(
    'is another than one that is only missing: %j',
    async (change) => {
      await insert([{ _id: 1, a: { c: [] } }])
      expect(await update({}, change)).toMatchObject({ matchedCount: 1, modifiedCount: 0 })
    }
  )

  it('does not matter to $unset', async () => {
    await insert([{ _id: 1, a: 5 }])
    expect(await update({}, { $unset: { 'a.b': 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 })
  })
})

describe('$rename within an array', () => {
  it('is refused', async () => {
    await insert([{ _id: 1, a: [{ b: 1 }], c: 2 }])
    for (const paths of [{ 'a.0.b': 'd' }, { c: 'a.0.d' }])
      expect(await errorOf(update({}, { $rename: paths }))).toMatchObject({
        code: 2,
        message: expect.stringContaining("in doc with _id: 1 has an array field called 'a'")
      })
  })
})
