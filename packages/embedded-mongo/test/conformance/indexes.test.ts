import { MaxKey, MinKey } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { until } from '@batti/kit/testing'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()
const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents)

/** The names of the stages of a plan, whatever else an engine reports about them. */
function stagesOf(plan: Record<string, unknown>): string[] {
  const inner = [plan['inputStage'], ...((plan['inputStages'] as unknown[]) ?? [])].filter(Boolean) as Record<
    string,
    unknown
  >[]
  return [String(plan['stage']), ...inner.flatMap(stagesOf)]
}
async function explain(filter: object, options: object = {}): Promise<string[]> {
  const answer = await battery.things.find(filter, options).explain('queryPlanner')
  const plan = answer['queryPlanner'].winningPlan
  return stagesOf(plan.queryPlan ?? plan)
}

describe('unique indexes', () => {
  it("name the duplicate key in MongoDB's words", async () => {
    await battery.things.createIndex({ email: 1 }, { unique: true })
    await insert([{ email: 'a@b.c' }])
    const namespace = `${battery.db.databaseName}.things`
    expect(await errorOf(battery.things.insertOne({ email: 'a@b.c' }))).toMatchObject({
      code: 11000,
      message: `E11000 duplicate key error collection: ${namespace} index: email_1 dup key: { email: "a@b.c" }`,
      keyPattern: { email: 1 },
      keyValue: { email: 'a@b.c' }
    })
    await insert([{ email: 'other' }])
    expect(await errorOf(battery.things.updateOne({ email: 'other' }, { $set: { email: 'a@b.c' } }))).toMatchObject({
      code: 11000,
      keyValue: { email: 'a@b.c' }
    })
    expect(await battery.things.countDocuments({ email: 'other' })).toBe(1)
  })

  it('count a missing field as one null', async () => {
    await battery.things.createIndex({ a: 1 }, { unique: true })
    await insert([{ b: 1 }])
    expect(await errorOf(insert([{ b: 2 }]))).toMatchObject({ code: 11000 })
    expect(await errorOf(insert([{ a: null }]))).toMatchObject({ code: 11000 })
  })

  it('ignore documents that a sparse or a partial index leaves out', async () => {
    await battery.things.createIndex({ a: 1 }, { unique: true, sparse: true })
    await battery.things.createIndex({ b: 1 }, { unique: true, partialFilterExpression: { b: { $type: 'string' } } })
    await insert([{ x: 1 }, { x: 2 }, { a: 1, b: null }, { a: 2, b: 7 }, { a: 3, b: 7 }, { a: 4, b: 'seven' }])
    expect(await errorOf(insert([{ a: 1 }]))).toMatchObject({ code: 11000 })
    expect(await errorOf(insert([{ b: 'seven' }]))).toMatchObject({ code: 11000 })
    await battery.things.updateOne({ a: 4 }, { $set: { b: 8 } })
    await insert([{ b: 'seven' }])
    expect(await battery.things.find({ b: 'seven' }).toArray()).toHaveLength(1)
    // A sparse index must not hide documents from a query that it cannot answer.
    expect(await battery.things.find({ a: null }).toArray()).toHaveLength(3)
    expect(await battery.things.find({}).sort({ a: 1 }).toArray()).toHaveLength(7)
  })

  it('apply to each element of an array, across documents', async () => {
    await battery.things.createIndex({ tags: 1 }, { unique: true })
    await insert([{ _id: 1, tags: ['a', 'a', 'b'] }])
    expect(await errorOf(battery.things.insertOne({ tags: ['c', 'b'] }))).toMatchObject({
      code: 11000,
      keyValue: { tags: 'b' }
    })
    await battery.things.updateOne({ _id: 1 as never }, { $pull: { tags: 'b' } as never })
    await insert([{ tags: ['c', 'b'] }])
  })

  it('apply to several fields together', async () => {
    await battery.things.createIndex({ a: 1, b: -1 }, { unique: true })
    await insert([{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 1 }])
    expect(await errorOf(battery.things.insertOne({ a: 1, b: 2 }))).toMatchObject({
      code: 11000,
      keyPattern: { a: 1, b: -1 },
      keyValue: { a: 1, b: 2 }
    })
    expect(await errorOf(battery.things.insertOne({ a: 1 }))).toMatchObject({
      code: 11000,
      keyValue: { a: 1, b: null }
    })
  })

  it('are refused when duplicates exist', async () => {
    await insert([{ a: 1 }, { a: 1 }])
    expect(await errorOf(battery.things.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 11000 })
    expect(await battery.things.indexes()).toHaveLength(1)
  })
})

describe('index administration', () => {
  it('lists indexes, and creates an existing one only once', async () => {
    await battery.things.createIndexes([{ key: { a: 1, b: -1 } }, { key: { c: 1 }, name: 'mine', sparse: true }])
    await battery.things.createIndex({ a: 1, b: -1 })
    expect(await battery.things.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
      { v: 2, key: { c: 1 }, name: 'mine', sparse: true }
    ])
  })

  it('refuses two different indexes with one name or one key', async () => {
    await battery.things.createIndex({ a: 1 })
    expect(await errorOf(battery.things.createIndex({ a: 1 }, { name: 'other' }))).toMatchObject({ code: 85 })
    expect(await errorOf(battery.things.createIndex({ b: 1 }, { name: 'a_1' }))).toMatchObject({ code: 86 })
    expect(await errorOf(battery.things.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 86 })
  })

  it('drops by name, or all', async () => {
    await battery.things.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }])
    await battery.things.dropIndex('a_1')
    expect(await battery.things.indexes()).toHaveLength(3)
    await battery.things.dropIndexes()
    expect(await battery.things.indexes()).toHaveLength(1)
    expect(await errorOf(battery.things.dropIndex('nope'))).toMatchObject({ code: 27 })
    expect(await errorOf(battery.things.dropIndex('_id_'))).toMatchObject({ code: 72 })
    expect(await errorOf(battery.db.collection('nothing').indexes())).toMatchObject({ code: 26 })
  })

  it('refuses two parallel arrays', async () => {
    await battery.things.createIndex({ a: 1, b: 1 })
    expect(await errorOf(insert([{ a: [1], b: [2] }]))).toMatchObject({ code: 171 })
    await insert([{ a: [1, 2], b: 3 }])
  })
})

describe('queries by index', () => {
  it('use it for equality, ranges, $in and sorting', async () => {
    await insert(Array.from({ length: 100 }, (_, n) => ({ n, group: n % 10, name: `n${n}` })))
    await battery.things.createIndex({ group: 1, n: -1 })
    await battery.things.createIndex({ name: 1 })
    expect(await explain({ group: 3 })).toEqual(['FETCH', 'IXSCAN'])
    expect(await explain({ group: 3, n: { $gt: 5 } }, { sort: { n: -1 } })).toEqual(['FETCH', 'IXSCAN'])
    expect(await explain({ name: /^n1/ })).toContain('IXSCAN')
    expect(await explain({ other: 3 })).toEqual(['COLLSCAN'])
    expect(await explain({ group: { $in: [1, 2] } }, { sort: { n: 1 }, limit: 5 })).toContain('IXSCAN')
    expect(await explain({}, { sort: { group: -1, n: 1 }, limit: 5 })).toContain('IXSCAN')
    expect(
      (
        await battery.things
          .find({ group: 3, n: { $gt: 50 } })
          .sort({ n: -1 })
          .limit(3)
          .toArray()
      ).map(({ n }) => n as number)
    ).toEqual([93, 83, 73])
    expect(
      (
        await battery.things
          .find({ group: { $in: [1, 2] } })
          .sort({ n: 1 })
          .limit(4)
          .toArray()
      ).map(({ n }) => n as number)
    ).toEqual([1, 2, 11, 12])
    expect(
      (
        await battery.things
          .find({ group: { $in: [1, 2] } })
          .sort({ n: -1 })
          .skip(1)
          .limit(3)
          .toArray()
      ).map(({ n }) => n as number)
    ).toEqual([91, 82, 81])
    expect(await battery.things.countDocuments({ name: /^n1/ })).toBe(11)
    expect(await battery.things.countDocuments({ name: /^N1/i })).toBe(11)
    expect(await battery.things.countDocuments({ name: /^n1$|^n2$/ })).toBe(2)
    expect(await battery.things.countDocuments({ name: { $regex: '^ n 1 # the first ones', $options: 'x' } })).toBe(11)
    expect(await battery.things.countDocuments({ $or: [{ group: 1 }, { name: 'n5' }] })).toBe(11)
    expect(await battery.things.find({ $or: [{ group: 1 }, { name: 'n1' }] }).toArray()).toHaveLength(10)
    expect(await battery.things.countDocuments({ $or: [{ group: 1 }, { name: 'n5', n: 6 }] })).toBe(10)
  })

  it('count each document once, however many of its elements match', async () => {
    await battery.things.createIndex({ keys: 1 })
    await battery.things.createIndex({ n: 1 })
    await insert(Array.from({ length: 60 }, (_, n) => ({ n, keys: [`lamp ${n}`, 'lamp', `amp ${n}`, 'hall'] })))
    expect(await battery.things.countDocuments({ keys: /^lamp/ })).toBe(60)
    expect(await battery.things.countDocuments({ keys: /^lamp 1/ })).toBe(11)
    expect(await battery.things.countDocuments({ keys: /^lamp/ }, { limit: 7 })).toBe(7)
    expect(await battery.things.countDocuments({ keys: /^lamp/ }, { skip: 50, limit: 20 })).toBe(10)
    expect(await battery.things.countDocuments({ $or: [{ keys: /^amp 1/ }, { keys: /^lamp 1/ }, { n: 40 }] })).toBe(12)
    expect(await battery.things.countDocuments({ keys: /^lamp/, n: { $gte: 50 } })).toBe(10)
    expect(await battery.things.countDocuments({ keys: /^hall$/ })).toBe(60)
  })

  it('never mix up elements of one array', async () => {
    await battery.things.createIndex({ 'a.b': 1, 'a.c': 1 })
    await battery.things.createIndex({ v: 1 })
    await insert([
      {
        _id: 1,
        a: [
          { b: 1, c: 9 },
          { b: 5, c: 2 }
        ],
        v: [1, 10]
      },
      { _id: 2, a: { b: 1, c: 2 }, v: 5 }
    ])
    expect(await battery.things.find({ 'a.b': 1, 'a.c': 2 }).toArray()).toHaveLength(2)
    expect(await battery.things.find({ a: { $elemMatch: { b: 1, c: 2 } } }).toArray()).toHaveLength(0)
    expect(await battery.things.find({ v: { $gt: 4, $lt: 6 } }).toArray()).toHaveLength(2)
    expect(await battery.things.find({ v: { $elemMatch: { $gt: 4, $lt: 6 } } }).toArray()).toHaveLength(0)
    expect(await battery.things.find({ v: { $gte: 0 } }).toArray()).toHaveLength(2)
  })

  it('find empty arrays, nulls and nested arrays like a scan', async () => {
    await insert([
      { _id: 1, v: [] },
      { _id: 2, v: null },
      { _id: 3 },
      { _id: 4, v: [[1, 2]] },
      { _id: 5, v: [1, 2] },
      { _id: 6, v: [null] }
    ])
    const filters = [
      { v: [] },
      { v: null },
      { v: [1, 2] },
      { v: { $exists: false } },
      { v: { $ne: null } },
      { v: { $in: [null, 1] } },
      { v: { $size: 0 } }
    ]
    const find = (): Promise<unknown[]> =>
      Promise.all(
        filters.map(async (filter) =>
          (await battery.things.find(filter).toArray()).map(({ _id }) => String(_id)).toSorted()
        )
      )
    const scanned = await find()
    await battery.things.createIndex({ v: 1 })
    expect(await find()).toEqual(scanned)
    expect(scanned).toEqual([['1'], ['2', '3', '6'], ['4', '5'], ['3'], ['1', '4', '5'], ['2', '3', '5', '6'], ['1']])
  })

  it.each([false, true])('find NaN only by NaN, as without them: %j', async (isIndexed) => {
    await insert([{ v: Number.NaN }, { v: -1 }])
    if (isIndexed) await battery.things.createIndex({ v: 1 })
    const count = (v: unknown): Promise<number> => battery.things.countDocuments({ v })
    expect(await count({ $lt: 5 })).toBe(1)
    expect(await count({ $lte: 5 })).toBe(1)
    expect(await count(Number.NaN)).toBe(1)
    expect(await count({ $lte: Number.NaN })).toBe(1)
    expect(await count({ $gt: Number.NaN })).toBe(0)
  })

  it.each([1, -1] as const)('find MaxKey and MinKey by $exists in the direction %i', async (direction) => {
    await insert([{ v: new MaxKey() }, { v: [new MinKey()] }, {}])
    await battery.things.createIndex({ v: direction })
    expect(await explain({ v: { $exists: true } })).toContain('IXSCAN')
    expect(await battery.things.find({ v: { $exists: true } }).toArray()).toHaveLength(2)
  })

  it('add and remove a document when only the filter of a partial index changes its result', async () => {
    await battery.things.createIndex({ name: 1 }, { unique: true, partialFilterExpression: { 'now.active': true } })
    await battery.things.insertMany([
      { _id: 1 as never, name: 'same', now: { active: true } },
      { _id: 2 as never, name: 'same', now: { active: false } }
    ])
    const activate = (id: number, active: boolean): Promise<unknown> =>
      battery.things.updateOne({ _id: id as never }, { $set: { 'now.active': active } })
    expect(await errorOf(activate(2, true))).toMatchObject({ code: 11000 })
    await activate(1, false)
    await activate(2, true)
    const found = await battery.things.find({ name: 'same', 'now.active': true }).hint('name_1').toArray()
    expect(found.map(({ _id }) => _id)).toEqual([2])
    expect(await errorOf(activate(1, true))).toMatchObject({ code: 11000 })
  })
  it('use a partial index only for queries that it covers', async () => {
    await battery.things.createIndex({ a: 1 }, { partialFilterExpression: { n: { $gt: 5 } } })
    await insert([
      { a: 1, n: 1 },
      { a: 1, n: 9 }
    ])
    expect(await battery.things.find({ a: 1 }).toArray()).toHaveLength(2)
    expect(await explain({ a: 1 })).toEqual(['COLLSCAN'])
    expect(await explain({ a: 1, n: { $gt: 7 } })).toContain('IXSCAN')
    expect(await battery.things.find({ a: 1, n: { $gt: 7 } }).toArray()).toHaveLength(1)
  })

  it('do not use a partial index for null or NaN that its filter leaves out', async () => {
    await battery.things.createIndex({ a: 1 }, { partialFilterExpression: { n: { $type: 'null' } } })
    await battery.things.createIndex({ b: 1 }, { partialFilterExpression: { n: { $lt: 5 } } })
    await battery.things.createIndex({ c: 1 }, { partialFilterExpression: { n: { $gte: Number.NaN } } })
    await insert([
      { a: 1, b: 1, c: 1 },
      { a: 1, b: 1, c: 1, n: null },
      { a: 1, b: 1, c: 1, n: Number.NaN },
      { a: 1, b: 1, c: 1, n: 7 }
    ])
    expect(await battery.things.find({ a: 1, n: null }).toArray()).toHaveLength(2)
    expect(await battery.things.find({ b: 1, n: Number.NaN }).toArray()).toHaveLength(1)
    expect(await battery.things.find({ b: 1, n: { $lte: Number.NaN } }).toArray()).toHaveLength(1)
    expect(await battery.things.find({ c: 1, n: { $gte: 5 } }).toArray()).toHaveLength(1)
  })

  it('follow a hint, and refuse one for an unknown index', async () => {
    await battery.things.createIndex({ a: 1 })
    await battery.things.createIndex({ b: 1 })
    await insert([{ a: 1, b: 1 }])
    expect(await battery.things.find({ a: 1 }).hint('b_1').toArray()).toHaveLength(1)
    expect(await errorOf(battery.things.find({ a: 1 }).hint('nope').toArray())).toMatchObject({ code: 2 })
  })
})

describe('rows skipped in the order of an index', () => {
  const count = 9000
  const all = Array.from({ length: count }, (_, n) => ({ _id: n, n, ten: Math.floor(n / 10), kind: n % 3 }))
  const asked = [
    { filter: {}, sort: { n: 1 } },
    { filter: {}, sort: { n: -1 } },
    { filter: {}, sort: { ten: 1, _id: 1 } },
    { filter: {}, sort: { ten: -1, _id: -1 } },
    { filter: { n: { $gte: 100, $lt: 8000 } }, sort: { n: -1 } },
    { filter: { ten: { $gt: 3, $lt: 700 } }, sort: { ten: 1, _id: 1 } },
    { filter: { kind: { $in: [0, 2] } }, sort: { kind: 1, n: 1 } },
    { filter: { kind: { $in: [0, 2] } }, sort: { kind: -1, n: -1 } }
  ] as const

  function expected({ filter, sort }: (typeof asked)[number], skip: number, limit: number): number[] {
    const [path = 'n', direction = 1] = Object.entries(sort)[0] ?? []
    const inside = all.filter(({ n, ten, kind }) =>
      'n' in filter
        ? n >= 100 && n < 8000
        : 'ten' in filter
          ? ten > 3 && ten < 700
          : 'kind' in filter
            ? kind !== 1
            : true
    )
    const valueOf = (each: (typeof all)[number]): number => each[path as 'n' | 'ten' | 'kind']
    const sorted = inside.toSorted((a, b) => direction * (valueOf(a) - valueOf(b) || a.n - b.n))
    return sorted.slice(skip, skip + limit).map(({ _id }) => _id)
  }

  it('are skipped once each, up to the end and beyond', async () => {
    await insert(all)
    await battery.things.createIndex({ n: 1 }, { unique: true })
    await battery.things.createIndex({ ten: 1, _id: 1 })
    await battery.things.createIndex({ kind: 1, n: 1 })
    for (const each of asked) {
      for (const skip of [1, 2, 2999, 3000, 3001, 4095, 4096, 4097, 5999, 6000, 6960, 7899, 7900, 8999, 9000, 20_000]) {
        const found = battery.things.find(each.filter).sort(each.sort).skip(skip).limit(3)
        expect((await found.toArray()).map(({ _id }) => Number(_id))).toEqual(expected(each, skip, 3))
      }
    }
  })

  it('are rows of documents, also where the index has several entries for an array', async () => {
    await battery.things.createIndex({ list: 1 })
    await insert([
      { _id: 1, list: [1, 2, 3] },
      { _id: 2, list: [2, 4] },
      { _id: 3, list: [5] }
    ])
    const found = battery.things.find({ list: { $gte: 2 } }).sort({ list: 1 })
    expect((await found.skip(1).toArray()).map(({ _id }) => Number(_id))).toEqual([2, 3])
  })
})

describe('a collection with a collation', () => {
  it('passes it on to its indexes, unless one has its own', async () => {
    const people = await battery.db.createCollection('people', { collation: { locale: 'en', strength: 2 } })
    await people.createIndex({ name: 1 }, { unique: true })
    await people.insertOne({ _id: 1 as never, name: 'Ann', code: 'x' })
    expect(await errorOf(people.insertOne({ name: 'ANN' }))).toMatchObject({ code: 11000 })
    await people.createIndex({ code: 1 }, { unique: true, collation: { locale: 'simple' } })
    await people.insertOne({ name: 'Bob', code: 'X' })
    expect(await people.countDocuments({ code: 'x' })).toBe(2)
    const plan = JSON.stringify(await people.find({ name: 'aNN' }).explain('queryPlanner'))
    expect(plan).toContain('IXSCAN')
  })
})

describe('TTL indexes', () => {
  it('are stored and changed as requested', async () => {
    await battery.things.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })
    expect((await battery.things.indexes())[1]).toMatchObject({ expireAfterSeconds: 3600 })
    await battery.db.command({ collMod: 'things', index: { name: 'at_1', expireAfterSeconds: 60 } })
    expect((await battery.things.indexes())[1]).toMatchObject({ expireAfterSeconds: 60 })
    expect(await errorOf(battery.things.createIndex({ a: 1, b: 1 }, { expireAfterSeconds: 1 }))).toMatchObject({
      code: 67
    })
  })

  it('remove expired documents, and no others', async () => {
    await battery.things.createIndex({ at: 1 }, { expireAfterSeconds: 1 })
    await insert([
      { _id: 1, at: new Date(0) },
      { _id: 2, at: new Date(Date.now() + 3_600_000) },
      { _id: 3 },
      { _id: 4, at: 'text' },
      { _id: 5, at: [new Date(0), new Date(Date.now() + 3_600_000)] }
    ])
    const left = await until(
      'those whose time is over are gone',
      async () => {
        const documents = await battery.things.find().sort({ _id: 1 }).toArray()
        return documents.length <= 3 && documents.map(({ _id }) => _id as unknown)
      },
      90_000
    )
    expect(left).toEqual([2, 3, 4])
  }, 120_000)
})
