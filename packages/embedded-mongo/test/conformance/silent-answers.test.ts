import { DBRef, Int32, Long, MaxKey, MinKey, type Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

// What another engine gets almost right without an error. Each was answered wrongly here once.
const battery = startBattery()
const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents as never[])
const ids = async (filter: object, options: object = {}): Promise<unknown[]> =>
  (await battery.things.find(filter, options).toArray()).map(({ _id }) => _id as unknown)
const only = async (): Promise<Document | null> => battery.things.findOne({}, { projection: { _id: 0 } })
const run = (pipeline: Document[], options: object = {}): Promise<Document[]> =>
  battery.things.aggregate(pipeline, options).toArray()
const command = (asked: Document): Promise<Document> => battery.db.command(asked)

describe('an update of array elements', () => {
  it('resolves $ once, before anything is written', async () => {
    await insert([{ a: [{ s: 'open' }, { s: 'open' }] }])
    await battery.things.updateOne({ 'a.s': 'open' }, { $set: { 'a.$.s': 'taken', 'a.$.when': 7 } })
    expect(await only()).toEqual({ a: [{ s: 'taken', when: 7 }, { s: 'open' }] })
  })

  it('resolves array filters once, before anything is written', async () => {
    await insert([{ a: [{ s: 'open' }, { s: 'shut' }] }])
    await battery.things.updateOne(
      {},
      { $set: { 'a.$[e].s': 'x', 'a.$[e].t': 1 }, $inc: { 'a.$[e].n': 2 } },
      { arrayFilters: [{ 'e.s': 'open' }] }
    )
    expect(await only()).toEqual({ a: [{ s: 'x', t: 1, n: 2 }, { s: 'shut' }] })
  })

  it('is refused when two of its paths meet in one element', async () => {
    await insert([{ a: [{ s: 1 }] }])
    const arrayFilters = [{ 'e.s': 1 }, { 'f.s': { $gt: 0 } }]
    for (const $set of [
      { 'a.$[e].s': 2, 'a.$[f].s': 3 },
      { 'a.$[e].s': 2, 'a.$[f]': 3 },
      { 'a.$[e]': 2, 'a.$[f].s.t': 3 }
    ])
      expect(await errorOf(battery.things.updateOne({}, { $set }, { arrayFilters }))).toMatchObject({ code: 40 })
    expect(await only()).toEqual({ a: [{ s: 1 }] })
  })
})

describe('a command that defines variables', () => {
  const asked = { let: { n: { $add: [1, 2] } } }
  it('evaluates them before it reads documents', async () => {
    await insert([
      { _id: 1, v: 3 },
      { _id: 2, v: 4 }
    ])
    expect(await ids({ $expr: { $eq: ['$v', '$$n'] } }, asked)).toEqual([1])
    expect(await run([{ $match: { _id: 1 } }, { $project: { r: '$$n' } }], asked)).toEqual([{ _id: 1, r: 3 }])
    await battery.things.updateOne({ _id: 1 as never }, [{ $set: { kept: '$$n' } }], asked)
    expect(await battery.things.findOne({ _id: 1 as never })).toEqual({ _id: 1, v: 3, kept: 3 })
    await battery.things.findOneAndUpdate({ _id: 2 as never }, [{ $set: { kept: '$$n' } }], asked)
    expect(await battery.things.findOne({ _id: 2 as never })).toEqual({ _id: 2, v: 4, kept: 3 })
    expect(await battery.things.deleteMany({ $expr: { $eq: ['$v', '$$n'] } }, asked)).toMatchObject({ deletedCount: 1 })
  })

  it('may not use fields in them', async () => {
    expect(await errorOf(ids({}, { let: { n: '$v' } }))).toMatchObject({ code: 4890500 })
    expect(await ids({}, { let: { n: { $literal: '$v' } } })).toEqual([])
  })
})

describe('a request that a command cannot fulfil', () => {
  it('for a snapshot is fulfilled or refused, never ignored', async () => {
    await insert([{ _id: 1 }])
    const session = battery.client.startSession({ snapshot: true })
    const ask = (): Promise<number> =>
      battery.things
        .find({}, { session })
        .toArray()
        .then(
          (found) => found.length,
          (error: Document) => error['code'] as number
        )
    const first = await ask()
    await insert([{ _id: 2 }])
    expect([1, 115]).toContain(await ask())
    expect([1, 115]).toContain(first)
    await session.endSession()
  })

  it('is refused if the read concern does not exist', async () => {
    expect(await errorOf(command({ find: 'things', readConcern: { level: 'bogus' } }))).toMatchObject({ code: 2 })
    expect(await errorOf(command({ find: 'things', readConcern: { levle: 'local' } }))).toMatchObject({ code: 40415 })
  })

  it('for more members than exist is reported', async () => {
    const answer = await errorOf(
      battery.things.insertOne({ _id: 1 as never }, { writeConcern: { w: 50, wtimeoutMS: 200 } })
    )
    expect(answer).toMatchObject({ code: 100 })
    // The write itself is carried out, as on MongoDB.
    expect(await ids({})).toEqual([1])
    expect(await errorOf(command({ insert: 'things', documents: [{}], writeConcern: { w: 51 } }))).toMatchObject({
      code: 9
    })
  })

  it.each([
    [{ find: 'things', filtre: {} }],
    [{ aggregate: 'things', pipeline: [], cursor: {}, colation: {} }],
    [{ insert: 'things', documents: [{}], orderd: false }],
    [{ update: 'things', updates: [{ q: {}, u: { $set: { a: 1 } }, upsrt: true }] }],
    [{ delete: 'things', deletes: [{ q: {}, limit: 0, colation: {} }] }],
    [{ findAndModify: 'things', query: {}, remove: true, upsrt: true }],
    [{ count: 'things', filter: {} }],
    [{ distinct: 'things', key: 'a', filter: {} }],
    [{ createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a_1' }], unique: true }]
  ])('is refused because of an unknown field: %j', async (asked) => {
    expect(await errorOf(command(asked))).toMatchObject({ code: 40415 })
  })
})

describe('a unique sparse index through an array', () => {
  it('ignores documents and elements without the field', async () => {
    await battery.things.createIndex({ 'e.address': 1 }, { unique: true, sparse: true })
    await insert([{ e: [] }, { e: [] }, { e: [{ x: 1 }] }, { e: [{ x: 1 }, { address: 'a' }] }, { e: [5] }, { e: {} }])
    expect(await errorOf(insert([{ e: [{ address: 'a' }] }]))).toMatchObject({ code: 11000 })
    await insert([{ e: [{ address: null }] }])
    expect(await errorOf(insert([{ e: [{ address: null }] }]))).toMatchObject({ code: 11000 })
  })
})

describe('$elemMatch', () => {
  it('finds references by their own fields', async () => {
    const documents = [1, 2].map((_id) => ({ _id, refs: [new DBRef('homes', _id as never)] }))
    await insert(documents)
    expect(await ids({ refs: { $elemMatch: { $id: 2, $ref: 'homes' } } })).toEqual([2])
  })

  it('treats a nested list as a document whose fields are its positions', async () => {
    await insert([
      { _id: 1, a: [[{ b: 1 }]] },
      { _id: 2, a: [{ b: 1 }] },
      { _id: 3, a: [[7, 5]] }
    ])
    expect(await ids({ a: { $elemMatch: { b: 1 } } })).toEqual([2])
    expect(await ids({ a: { $elemMatch: { b: null } } })).toEqual([1, 3])
    expect(await ids({ a: { $elemMatch: { 1: 5 } } })).toEqual([3])
    await battery.things.createIndex({ 'a.1': 1 })
    expect(await ids({ a: { $elemMatch: { 1: 5 } } })).toEqual([3])
  })
})

describe('a position in a path', () => {
  it('names a whole element, not its contents', async () => {
    await insert([
      { _id: 1, a: [[1, 2]] },
      { _id: 2, a: [1] }
    ])
    expect(await ids({ 'a.0': 1 })).toEqual([2])
    expect(await ids({ 'a.0': [1, 2] })).toEqual([1])
    expect(await ids({ 'a.0': { $size: 2 } })).toEqual([1])
    expect(await ids({ 'a.0.0': 1 })).toEqual([1])
    await battery.things.createIndex({ 'a.0': 1 })
    expect(await ids({ 'a.0': 1 })).toEqual([2])
    expect(await battery.things.countDocuments({ 'a.0': 1 })).toBe(1)
  })

  it('is missing in every document of the array, with any plan', async () => {
    await insert([{ _id: 1, a: [{ b: 1 }] }, { _id: 2, a: [1] }, { _id: 3 }, { _id: 4, a: [null] }])
    expect(await ids({ 'a.0': null })).toEqual([1, 3, 4])
    await battery.things.createIndex({ 'a.0': 1 })
    expect(await ids({ 'a.0': null }, { hint: { $natural: 1 } })).toEqual([1, 3, 4])
  })

  it('sorts by that element alone', async () => {
    await insert([
      { _id: 1, a: [{ b: 3 }, { b: 1 }] },
      { _id: 2, a: [{ b: 2 }] },
      { _id: 3, a: [] }
    ])
    expect(await ids({}, { sort: { 'a.0.b': 1 } })).toEqual([3, 2, 1])
    expect(await ids({}, { sort: { 'a.0.b': -1 } })).toEqual([1, 2, 3])
  })

  it('may not mean a field and a position at once in an index', async () => {
    await battery.things.createIndex({ 'a.0': 1 })
    expect(await errorOf(insert([{ a: [{ 0: 5 }] }]))).toMatchObject({ code: 16746 })
  })
})

describe('a sort by several fields of one array', () => {
  it('compares the values of one element together', async () => {
    await insert([
      {
        _id: 1,
        a: [
          { b: 1, c: 9 },
          { b: 2, c: 1 }
        ]
      },
      { _id: 2, a: [{ b: 1, c: 5 }] }
    ])
    expect(await ids({}, { sort: { 'a.b': 1, 'a.c': 1 } })).toEqual([2, 1])
  })

  it('is refused because of two parallel arrays', async () => {
    await insert([
      { _id: 1, a: [1], b: [2] },
      { _id: 2, a: [3], b: [4] }
    ])
    expect(await errorOf(ids({}, { sort: { a: 1, b: 1 } }))).toMatchObject({ code: 2 })
  })
})

describe('$lookup', () => {
  const matched = async (local: object, localField = 'a'): Promise<unknown[]> => {
    await battery.db.collection('others').deleteMany({})
    await battery.db
      .collection('others')
      .insertMany([
        { _id: 0 as never, b: null },
        { _id: 1 as never },
        { _id: 2 as never, b: 1 },
        { _id: 3 as never, b: [1, 2] },
        { _id: 4 as never, b: [[1, 2]] },
        { _id: 5 as never, b: [] }
      ])
    await battery.things.deleteMany({})
    await insert([local])
    const [found] = await run([
      { $lookup: { from: 'others', localField, foreignField: 'b', as: 'found' } },
      { $project: { found: '$found._id' } }
    ])
    return ((found?.['found'] ?? []) as number[]).toSorted((a, b) => a - b)
  }

  it('matches an array by its elements, and an empty one as nothing', async () => {
    expect(await matched({ a: [1, 2] })).toEqual([2, 3])
    expect(await matched({ a: [] })).toEqual([0, 1])
    expect(await matched({ a: [[1, 2]] })).toEqual([3, 4])
    expect(await matched({})).toEqual([0, 1])
  })

  it('goes through arrays of documents, not through arrays in them', async () => {
    expect(await matched({ a: [{ x: 1 }, {}] }, 'a.x')).toEqual([2, 3])
    expect(await matched({ a: [[{ x: 1 }]] }, 'a.x')).toEqual([0, 1])
    expect(await matched({ a: [{ x: 1 }, { x: 7 }] }, 'a.1.x')).toEqual([])
    expect(await matched({ a: [{ x: 1 }, { x: 7 }] }, 'a.0.x')).toEqual([2, 3])
  })
})

describe('an expression', () => {
  const compute = async (expression: unknown, document: object = {}): Promise<unknown> => {
    await insert([{ _id: 1, ...document }])
    const [result] = await run([{ $project: { _id: 0, r: expression } }])
    return result?.['r']
  }
  it('goes through an array of documents, not through arrays in it', async () => {
    expect(await compute('$a.b', { a: [{ b: 1 }, [{ b: 2 }], 5, { c: 1 }, { b: [3] }] })).toEqual([1, [3]])
  })

  it('refuses a date that the calendar does not have', async () => {
    await insert([{ _id: 9 }])
    for (const text of ['2024-02-30', '2023-02-29', '2024-04-31T10:00:00Z'])
      expect(await errorOf(run([{ $project: { r: { $toDate: text } } }]))).toMatchObject({ code: 241 })
    const [leap] = await run([{ $project: { r: { $toDate: '2024-02-29' } } }])
    expect(leap?.['r']).toEqual(new Date('2024-02-29T00:00:00Z'))
  })

  it.each([
    { $add: ['$at', Infinity] },
    { $subtract: ['$at', NaN] },
    { $add: ['$at', 1e30] },
    { $dateAdd: { startDate: '$at', unit: 'day', amount: 'two' } },
    { $dateAdd: { startDate: '$at', unit: 'month', amount: 1.5 } },
    { $dateSubtract: { startDate: '$at', unit: 'day', amount: 1e12 } },
    { $dateFromParts: { year: 'now' } },
    { $dateFromParts: { year: 2026, month: 1.5 } },
    { $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 3 } },
    { $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'sunny' } },
    { $toDate: 1e20 },
    { $dateTrunc: { date: new Date('1999-12-31'), unit: 'day', binSize: 1e15 } },
    { $toDate: NaN },
    { $convert: { input: Infinity, to: 'date' } }
  ])('makes no date of an invalid value: %j', async (expression) => {
    await insert([{ _id: 1, at: new Date('2026-03-04T05:06:07Z') }])
    expect(await errorOf(run([{ $project: { at: expression } }]))).toMatchObject({ code: expect.any(Number) })
  })

  it('uses the value for errors when a number is no date', async () => {
    const converted = [1e20, 1.9].map((input) => ({ $convert: { input, to: 'date', onError: 'none' } }))
    expect(await compute(converted)).toEqual(['none', new Date(1)])
  })

  it('of a projection in a pipeline is not an operator of find', async () => {
    await insert([{ _id: 9, a: [1, 2] }])
    expect(await errorOf(run([{ $project: { a: { $slice: 1 } } }]))).toMatchObject({ code: 28667 })
    expect(await errorOf(run([{ $project: { a: { $elemMatch: { $gt: 1 } } } }]))).toMatchObject({ code: 168 })
    expect(await errorOf(run([{ $match: { a: 1 } }, { $project: { 'a.$': 1 } }]))).toMatchObject({ code: 31324 })
    expect(await run([{ $project: { a: { $slice: ['$a', 1] } } }])).toEqual([{ _id: 9, a: [1] }])
    expect(await battery.things.findOne({}, { projection: { a: { $slice: 1 } } })).toEqual({ _id: 9, a: [1] })
  })
})

describe('MinKey and MaxKey', () => {
  it('are below and above everything, and above and below a missing value', async () => {
    await insert([
      { _id: 1 },
      { _id: 2, v: null },
      { _id: 3, v: 5 },
      { _id: 4, v: new MinKey() },
      { _id: 5, v: new MaxKey() }
    ])
    const all = async (filter: object): Promise<unknown[]> => ids(filter, { sort: { _id: 1 } })
    expect(await all({ v: { $gt: new MinKey() } })).toEqual([1, 2, 3, 5])
    expect(await all({ v: { $gte: new MinKey() } })).toEqual([1, 2, 3, 4, 5])
    expect(await all({ v: { $lt: new MinKey() } })).toEqual([])
    expect(await all({ v: { $lte: new MinKey() } })).toEqual([4])
    expect(await all({ v: { $lt: new MaxKey() } })).toEqual([1, 2, 3, 4])
    expect(await all({ v: { $lte: new MaxKey() } })).toEqual([1, 2, 3, 4, 5])
    expect(await all({ v: { $gt: new MaxKey() } })).toEqual([])
    expect(await all({ v: new MaxKey() })).toEqual([5])
    await battery.things.createIndex({ v: 1 })
    expect(await all({ v: { $gt: new MinKey() } })).toEqual([1, 2, 3, 5])
    expect(await all({ v: { $lt: new MaxKey() } })).toEqual([1, 2, 3, 4])
  })
})

describe('numbers of a command', () => {
  it('may be of any type', async () => {
    await insert([{ _id: 1 }, { _id: 2 }])
    expect(await command({ count: 'things', limit: Long.fromNumber(1) })).toMatchObject({ n: 1 })
    expect(await command({ count: 'things', skip: new Int32(1) })).toMatchObject({ n: 1 })
  })
})
