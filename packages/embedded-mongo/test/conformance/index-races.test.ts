import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()

// Two processes of one application that start at once on an empty database both create the same collections and
// indexes.
describe('the same index requested twice at once', () => {
  it('is created once, and both requests succeed', async () => {
    const other = await battery.connect()
    for (let round = 0; round < 10; round++) {
      const name = `fresh${round}`
      const collections = [battery.db.collection(name), other.db(battery.db.databaseName).collection(name)]
      const beside = battery.things.insertOne({ round })
      await Promise.all(collections.map((collection) => collection.createIndex({ u: 1 }, { unique: true })))
      await beside
      expect((await collections[0]?.indexes())?.map((index) => index.name)).toEqual(['_id_', 'u_1'])
      await collections[0]?.insertOne({ u: 1 })
      expect(await errorOf(collections[1]?.insertOne({ u: 1 }) ?? Promise.resolve())).toMatchObject({ code: 11000 })
    }
    expect(await battery.things.countDocuments()).toBe(10)
  })

  it('with two definitions is created once: the second is refused', async () => {
    const asked = await Promise.allSettled([
      battery.things.createIndex({ a: 1 }, { unique: true }),
      battery.things.createIndex({ a: 1 })
    ])
    expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await battery.things.indexes()).toHaveLength(2)
  })

  it('in one command is created once; if one of several cannot be created, none is', async () => {
    await battery.things.insertMany([{ d: 1 }, { d: 1 }])
    const key = { key: { a: 1 }, name: 'a_1' }
    expect(await battery.db.command({ createIndexes: 'things', indexes: [key] })).toMatchObject({ numIndexesAfter: 2 })
    expect(
      await errorOf(battery.things.createIndexes([{ key: { b: 1 } }, { key: { d: 1 }, unique: true }]))
    ).toMatchObject({ code: 11000 })
    expect(await battery.things.indexes()).toHaveLength(2)
  })
})

describe('$out', () => {
  it('affects no writes to other collections, nor another $out to the same collection', async () => {
    await battery.things.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n as never, n })))
    const beside = battery.db.collection('beside')
    const replace = (): Promise<unknown> => battery.things.aggregate([{ $match: {} }, { $out: 'copy' }]).toArray()
    let done = false
    const replacing = Promise.all(Array.from({ length: 4 }, replace)).finally(() => (done = true))
    let written = 0
    while (!done) {
      await Promise.all(Array.from({ length: 5 }, () => beside.insertOne({ n: 1 })))
      written += 5
    }
    await replacing
    expect(await beside.countDocuments()).toBe(written)
    expect(await battery.db.collection('copy').countDocuments()).toBe(3000)
    expect((await battery.db.listCollections().toArray()).map(({ name }) => name).toSorted()).toEqual([
      'beside',
      'copy',
      'things'
    ])
  })
})
