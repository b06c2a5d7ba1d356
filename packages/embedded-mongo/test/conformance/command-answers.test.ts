import { Decimal128, Long, type Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

// Commands of documentdb's functional tests for MongoDB that the engine once answered differently.
const battery = startBattery()
const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents as never[])
const command = (asked: Document): Promise<Document> => battery.db.command(asked)
const code = async (asked: Document): Promise<unknown> => (await errorOf(command(asked)))['code']
const ids = async (filter: object, options: object = {}): Promise<unknown[]> =>
  (await battery.things.find(filter, options).toArray()).map(({ _id }) => _id as unknown)

describe('a replacement by the same document', () => {
  const replaced = async (replacement: Document): Promise<unknown> =>
    (await command({ update: 'things', updates: [{ q: { _id: 1 }, u: replacement }] }))['nModified'] as unknown

  it('counts as a change if it omits the _id', async () => {
    await insert([{ _id: 1, a: 5, b: 6 }])
    expect(await replaced({ a: 5, b: 6 })).toBe(1)
    expect(await replaced({ _id: 1, a: 5, b: 6 })).toBe(0)
    expect(await replaced({ $set: { a: 5 } })).toBe(0)
  })
})

describe('a collection name', () => {
  it.each([
    { find: 5 },
    { insert: 5, documents: [{ a: 1 }] },
    { insert: {}, documents: [{ a: 1 }] },
    { update: true, updates: [{ q: {}, u: { $set: { a: 1 } }, upsert: true }] },
    { delete: 5, deletes: [{ q: {}, limit: 0 }] },
    { create: 5 },
    { drop: 5 },
    { count: null }
  ])('must be text: %j', async (asked) => {
    expect(await code(asked)).toBe(73)
    expect(await battery.db.listCollections().toArray()).toHaveLength(1)
  })
})

describe('distinct values', () => {
  it('are sorted by value', async () => {
    await insert([{ v: 'b' }, { v: [3, 'a'] }, { v: 1 }, { v: null }])
    expect(await battery.things.distinct('v')).toEqual([null, 1, 3, 'a', 'b'])
  })

  it('are sorted by the collation', async () => {
    await insert([{ v: 'file10' }, { v: 'file2' }, { v: 'file1' }])
    const collation = { locale: 'en', numericOrdering: true }
    expect(await battery.things.distinct('v', {}, { collation })).toEqual(['file1', 'file2', 'file10'])
  })
})

describe('a hint at an index that leaves documents out', () => {
  it('returns only the documents in it', async () => {
    await insert([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, b: 1 },
      { _id: 3, a: -1, b: 2 }
    ])
    await battery.things.createIndex({ a: 1 }, { name: 'sparse', sparse: true })
    await battery.things.createIndex({ a: 1 }, { name: 'partial', partialFilterExpression: { a: { $gt: 0 } } })
    expect(await ids({}, { hint: 'sparse', sort: { _id: 1 } })).toEqual([1, 3])
    expect(await ids({ b: 1 }, { hint: 'sparse' })).toEqual([1])
    expect(await ids({ a: null }, { hint: 'sparse' })).toEqual([])
    expect(await ids({}, { hint: 'partial' })).toEqual([1])
    expect(await ids({ a: { $lt: 5 } }, { hint: 'partial' })).toEqual([1])
    expect(await battery.things.countDocuments({}, { hint: 'sparse' })).toBe(2)
    expect(await command({ count: 'things', query: {}, hint: 'partial' })).toMatchObject({ n: 1 })
    expect(await ids({})).toHaveLength(3)
  })
})

describe('a hint at the natural order', () => {
  it('is followed in both directions', async () => {
    await insert([{ _id: 2 }, { _id: 1 }, { _id: 3 }])
    expect(await ids({}, { hint: { $natural: 1 } })).toEqual([2, 1, 3])
    expect(await ids({}, { hint: { $natural: -1 } })).toEqual([3, 1, 2])
    expect(await ids({}, { hint: { $natural: -1 }, sort: { _id: 1 } })).toEqual([1, 2, 3])
  })
})

describe('lists of collections and databases', () => {
  it('can be filtered by expressions too', async () => {
    await battery.db.createCollection('others')
    const named = (name: string): Document => ({ $expr: { $eq: ['$name', name] } })
    expect(await battery.db.listCollections(named('others')).toArray()).toMatchObject([{ name: 'others' }])
    const { databases } = await battery.db.admin().listDatabases({ filter: named(battery.db.databaseName) })
    expect(databases).toMatchObject([{ name: battery.db.databaseName }])
    expect(await code({ listCollections: 1, filter: 'others' })).toBe(14)
  })
})

describe('a new collection', () => {
  it.each([
    { colation: { locale: 'en' } },
    { expireAfterSeconds: 60 },
    { idIndex: { key: { _id: -1 }, name: '_id_' } },
    { idIndex: { key: { a: 1 }, name: 'a_1' } }
  ])('is refused with an unsupported option: %j', async (options) => {
    expect(await errorOf(command({ create: 'fresh', ...options }))).toMatchObject({ code: expect.any(Number) })
    expect(await battery.db.listCollections({ name: 'fresh' }).toArray()).toEqual([])
  })
  it('may name the index that every collection has', async () => {
    const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' }
    expect(await command({ create: 'fresh', idIndex })).toMatchObject({ ok: 1 })
  })
})

describe('an index', () => {
  it('is not dropped by a key that several share', async () => {
    await battery.things.createIndex({ a: 1 })
    await battery.things.createIndex({ a: 1 }, { name: 'some', partialFilterExpression: { a: { $gt: 0 } } })
    expect(await code({ dropIndexes: 'things', index: { a: 1 } })).toBe(181)
    expect(await battery.things.indexes()).toHaveLength(3)
    expect(await command({ dropIndexes: 'things', index: 'some' })).toMatchObject({ ok: 1 })
    expect(await command({ dropIndexes: 'things', index: { a: 1 } })).toMatchObject({ ok: 1 })
  })

  it.each([{ sparse: true }, { hidden: true }, { partialFilterExpression: { a: 1 } }])(
    'on _id takes no options: %j',
    async (options) => {
      expect(await code({ createIndexes: 'things', indexes: [{ key: { _id: 1 }, name: '_id_', ...options }] })).toBe(
        197
      )
    }
  )

  it('on _id cannot be hidden', async () => {
    expect(await code({ collMod: 'things', index: { name: '_id_', hidden: true } })).toBe(2)
  })

  it.each([-1, Number.NaN, 3_000_000_000])('refuses an expiry of %d seconds', async (seconds) => {
    await battery.things.createIndex({ at: 1 }, { expireAfterSeconds: 60 })
    const change = { name: 'at_1', expireAfterSeconds: seconds }
    expect(await errorOf(command({ collMod: 'things', index: change }))).toMatchObject({ code: expect.any(Number) })
    expect((await battery.things.indexes())[1]).toMatchObject({ expireAfterSeconds: 60 })
  })
})

describe('a command', () => {
  it('with a projection that is not a document is refused', async () => {
    await insert([{ _id: 1, a: 1 }])
    for (const projection of ['a', 1, ['a']]) expect(await code({ find: 'things', projection })).toBe(14)
  })

  it('with an empty collation compares like its collection', async () => {
    await battery.db.createCollection('names', { collation: { locale: 'en', strength: 2 } })
    await battery.db.collection('names').insertMany([{ a: 'x' }, { a: 'X' }])
    for (const collation of [{}, null]) {
      const found = await command({ find: 'names', filter: { a: 'x' }, collation })
      expect(found).toMatchObject({ cursor: { firstBatch: [{ a: 'x' }, { a: 'X' }] } })
    }
  })
})

describe('decimals that no double can represent', () => {
  const far = [
    '1.7976931348623157E308',
    '1.8E308',
    '2E308',
    '3E308',
    '1E309',
    '1.000000000000000000000000000000001E309'
  ]
  const farther = ['9.99E310', '1E400', '2E6000', '9.999999999999999999999999999999999E6144']

  it('have an order, and each has a key of its own', async () => {
    const values = [...far, ...farther]
    await insert(values.toReversed().map((text, i) => ({ _id: i, v: Decimal128.fromString(text) })))
    const sorted = async (): Promise<string[]> =>
      (await battery.things.find({}, { sort: { v: 1 } }).toArray()).map(
        ({ _id }) => values.toReversed()[_id as never] ?? ''
      )
    expect(await sorted()).toEqual(values)
    expect(await ids({ v: Decimal128.fromString('20E307') })).toEqual([values.length - 3])
    await battery.things.createIndex({ v: 1 }, { unique: true })
    expect(await sorted()).toEqual(values)
    expect(await ids({ v: { $gt: Decimal128.fromString('2E6000') } })).toEqual([0])
    expect(await ids({ v: { $lt: Number.POSITIVE_INFINITY, $gt: Long.MAX_VALUE } })).toHaveLength(values.length)
  })
})
