import { Long, ObjectId } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()

describe('insert', () => {
  it('adds an ObjectId to a document without an _id, and puts _id first', async () => {
    const { insertedId } = await battery.things.insertOne({ a: 1 })
    expect(insertedId).toBeInstanceOf(ObjectId)
    const raw = await battery.db.command({ insert: 'things', documents: [{ b: 1, _id: 7 }] })
    expect(raw['n']).toBe(1)
    expect(Object.keys((await battery.things.findOne({ _id: 7 as never })) ?? {})).toEqual(['_id', 'b'])
  })

  it('stops an ordered batch at the first duplicate, and continues an unordered one', async () => {
    const documents = [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[]
    const ordered = await errorOf(battery.things.insertMany(documents))
    expect(ordered).toMatchObject({ code: 11000, result: { insertedCount: 1 } })
    await battery.things.deleteMany({})
    const unordered = await errorOf(battery.things.insertMany(documents, { ordered: false }))
    expect(unordered['writeErrors']).toHaveLength(1)
    expect(await battery.things.countDocuments()).toBe(2)
  })

  it('refuses an array as _id', async () => {
    expect(await errorOf(battery.things.insertOne({ _id: [1] } as never))).toMatchObject({ code: 53 })
  })

  it('refuses documents above 16 MiB', async () => {
    await battery.things.insertOne({ a: 'x'.repeat(9e6) })
    const error = await errorOf(battery.things.updateOne({}, { $set: { b: 'x'.repeat(9e6) } }))
    expect(error).toMatchObject({ code: 17419, message: 'Resulting document after update is larger than 16777216' })
    expect(await battery.things.findOne({ b: { $exists: true } })).toBeNull()
  })

  it('creates the collection with the first document', async () => {
    await battery.db.collection('fresh').insertOne({ a: 1 })
    expect((await battery.db.listCollections().toArray()).map(({ name }) => name).toSorted()).toEqual([
      'fresh',
      'things'
    ])
  })

  it('acknowledges nothing at w: 0, and still writes', async () => {
    const client = await battery.connect({ maxPoolSize: 1 })
    const things = client.db(battery.db.databaseName).collection('things')
    const result = await things.insertOne({ a: 1 }, { writeConcern: { w: 0 } })
    expect(result.acknowledged).toBe(false)
    // Commands of one connection are carried out in order.
    expect(await things.countDocuments()).toBe(1)
  })
})

describe('update', () => {
  it('distinguishes matched from modified documents', async () => {
    await battery.things.insertMany([{ a: 1 }, { a: 1, b: 2 }, { a: 2 }])
    expect(await battery.things.updateMany({ a: 1 }, { $set: { b: 2 } })).toMatchObject({
      matchedCount: 2,
      modifiedCount: 1,
      upsertedCount: 0
    })
    expect(await battery.things.updateOne({ a: 9 }, { $set: { b: 2 } })).toMatchObject({
      matchedCount: 0,
      modifiedCount: 0
    })
  })

  it('replaces everything except the _id', async () => {
    const { insertedId } = await battery.things.insertOne({ a: 1, b: 2 })
    await battery.things.replaceOne({ a: 1 }, { c: 3 })
    expect(await battery.things.findOne()).toEqual({ _id: insertedId, c: 3 })
    expect(await errorOf(battery.things.replaceOne({ c: 3 }, { _id: new ObjectId(), d: 1 }))).toMatchObject({
      code: 66
    })
  })

  it('increments int, long and double with the type promotion of MongoDB', async () => {
    await battery.things.insertOne({ int: 2147483647, long: Long.fromString('9223372036854775800'), double: 1.5 })
    await battery.things.updateOne({}, { $inc: { int: 1, long: 2, double: 1, fresh: 3 } })
    const raw = await battery.things.findOne({}, { promoteLongs: false })
    expect(raw?.['int']).toEqual(Long.fromNumber(2147483648))
    expect(String(raw?.['long'])).toBe('9223372036854775802')
    expect(raw).toMatchObject({ double: 2.5, fresh: 3 })
    expect(await errorOf(battery.things.updateOne({}, { $inc: { long: 100 } }))).toMatchObject({ code: 2 })
  })

  it('multiplies, and takes the minimum and the maximum', async () => {
    await battery.things.insertOne({ a: 3, b: 5, c: 'x' })
    await battery.things.updateOne({}, { $mul: { a: 2, z: 4 }, $min: { b: 4 }, $max: { c: 'a', d: 1 } })
    expect(await battery.things.findOne({}, { projection: { _id: 0 } })).toEqual({ a: 6, b: 4, c: 'x', d: 1, z: 0 })
  })

  it('refuses arithmetic on text', async () => {
    const { insertedId } = await battery.things.insertOne({ a: 'x' })
    expect(await errorOf(battery.things.updateOne({}, { $inc: { a: 1 } }))).toMatchObject({
      code: 14,
      message: `Cannot apply $inc to a value of non-numeric type. {_id: ObjectId('${insertedId.toHexString()}')} has the field 'a' of non-numeric type string`
    })
    expect(await errorOf(battery.things.updateOne({}, { $inc: { b: 'x' as never } }))).toMatchObject({ code: 14 })
  })

  it('creates missing parent documents, removes and renames fields', async () => {
    await battery.things.insertOne({ a: { b: 1 }, gone: 1, old: 2 })
    await battery.things.updateOne({}, { $set: { 'a.c.d': 1 }, $unset: { gone: '' }, $rename: { old: 'new' } })
    expect(await battery.things.findOne({}, { projection: { _id: 0 } })).toEqual({ a: { b: 1, c: { d: 1 } }, new: 2 })
  })

  it('writes new fields in the order of their names', async () => {
    await battery.things.insertOne({ z: 1 })
    await battery.things.updateOne({}, { $set: { c: 1, b: 1 }, $inc: { a: 1 } })
    expect(Object.keys((await battery.things.findOne({}, { projection: { _id: 0 } })) ?? {})).toEqual([
      'z',
      'a',
      'b',
      'c'
    ])
  })

  it('refuses operators that conflict, and a path that cannot exist', async () => {
    await battery.things.insertOne({ a: 5 })
    expect(await errorOf(battery.things.updateOne({}, { $set: { b: 1 }, $inc: { b: 1 } }))).toMatchObject({ code: 40 })
    expect(await errorOf(battery.things.updateOne({}, { $set: { b: 1, 'b.c': 1 } }))).toMatchObject({ code: 40 })
    expect(await errorOf(battery.things.updateOne({}, { $set: { 'a.b': 1 } }))).toMatchObject({
      code: 28,
      message: "Cannot create field 'b' in element {a: 5}"
    })
    expect(await errorOf(battery.things.updateOne({}, { $set: { _id: 1 } }))).toMatchObject({ code: 66 })
    const unknown = await battery.db.command({ update: 'things', updates: [{ q: {}, u: { $nope: { a: 1 } } }] })
    expect(unknown['writeErrors'][0]).toMatchObject({ index: 0, code: 9 })
  })

  it("sets dates from the server's clock", async () => {
    await battery.things.insertOne({})
    await battery.things.updateOne({}, { $currentDate: { at: true, stamp: { $type: 'timestamp' } } as never })
    const found = await battery.things.findOne({})
    expect(found?.['at']).toBeInstanceOf(Date)
    expect(found?.['stamp']?._bsontype).toBe('Timestamp')
  })

  it('does bit arithmetic', async () => {
    await battery.things.insertOne({ a: 13 })
    await battery.things.updateOne({}, { $bit: { a: { and: 10 } } })
    await battery.things.updateOne({}, { $bit: { a: { or: 1 } } })
    expect(await battery.things.findOne()).toMatchObject({ a: 9 })
  })

  it('runs a pipeline as an update', async () => {
    await battery.things.insertOne({ a: 1, b: 2 })
    await battery.things.updateOne({}, [{ $set: { sum: { $add: ['$a', '$b'] } } }, { $unset: 'a' }])
    expect(await battery.things.findOne({}, { projection: { _id: 0 } })).toEqual({ b: 2, sum: 3 })
    expect(await errorOf(battery.things.updateOne({}, [{ $match: { b: 2 } }]))).toMatchObject({ code: 72 })
  })

  it('updates the first document of a sort', async () => {
    await battery.things.insertMany([{ n: 1 }, { n: 3 }, { n: 2 }])
    await battery.things.updateOne({}, { $set: { top: true } }, { sort: { n: -1 } })
    expect(await battery.things.findOne({ top: true })).toMatchObject({ n: 3 })
  })
})

describe('upsert', () => {
  it('is refused, not retried forever, if its key is taken by a document that does not match otherwise', async () => {
    await battery.things.createIndex({ holder: 1 }, { unique: true })
    const take = () =>
      battery.things.findOneAndUpdate(
        { holder: 1, until: { $lte: 5 } },
        { $set: { holder: 1, until: 10 } },
        { upsert: true }
      )
    await take()
    expect(await errorOf(take())).toMatchObject({ code: 11000 })
  })

  it('is refused, not retried forever, if its update changes the key to one that is taken', async () => {
    await battery.things.createIndex({ key: 1 }, { unique: true })
    await battery.things.insertOne({ key: 2 })
    const changes = { $set: { key: 2 } }
    expect(await errorOf(battery.things.updateOne({ key: 1 }, changes, { upsert: true }))).toMatchObject({
      code: 11000
    })
    const modified = battery.things.findOneAndUpdate({ key: 1 }, changes, { upsert: true })
    expect(await errorOf(modified)).toMatchObject({ code: 11000 })
    expect(await battery.things.countDocuments()).toBe(1)
  })

  it('is refused, not retried forever, if its key is taken only under the collation of the index', async () => {
    await battery.things.createIndex({ key: 1 }, { unique: true, collation: { locale: 'en', strength: 2 } })
    await battery.things.insertOne({ key: 'one' })
    const made = battery.things.updateOne({ key: 'ONE' }, { $set: { n: 1 } }, { upsert: true })
    expect(await errorOf(made)).toMatchObject({ code: 11000 })
  })

  it('builds a document from the equalities of the query and the update', async () => {
    const result = await battery.things.updateOne(
      { a: 1, 'b.c': 2, d: { $in: [4] }, e: { $gt: 5 }, $and: [{ f: { $eq: 6 } }], i: { $all: [9] } },
      { $set: { g: 7 }, $setOnInsert: { h: 8 } },
      { upsert: true }
    )
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 })
    const found = await battery.things.findOne({ _id: result.upsertedId as never })
    expect(found).toEqual({ _id: result.upsertedId, a: 1, b: { c: 2 }, d: 4, f: 6, g: 7, h: 8, i: 9 })
  })

  it('of a field and of a part of it is refused, because the query does not say which document is meant', async () => {
    for (const query of [
      { a: { b: 1 }, 'a.c': 2 },
      { 'a.c': 2, a: { b: 1 } }
    ]) {
      const made = battery.things.updateOne(query, { $set: { d: 3 } }, { upsert: true })
      expect(await errorOf(made)).toMatchObject({ code: 54 })
    }
    expect(await battery.things.countDocuments()).toBe(0)
  })

  it('takes the _id from the query, and does not insert an existing document', async () => {
    await battery.things.updateOne({ _id: 5 as never }, { $setOnInsert: { a: 1 } }, { upsert: true })
    await battery.things.updateOne({ _id: 5 as never }, { $setOnInsert: { a: 2 } }, { upsert: true })
    expect(await battery.things.find().toArray()).toEqual([{ _id: 5, a: 1 }])
  })

  it('replaces or inserts a whole document', async () => {
    await battery.things.replaceOne({ a: 1 }, { b: 1 }, { upsert: true })
    expect(await battery.things.findOne({}, { projection: { _id: 0 } })).toEqual({ b: 1 })
  })

  it('inserts once when many clients upsert the same unique key at the same time', async () => {
    await battery.things.createIndex({ key: 1 }, { unique: true })
    await Promise.all(
      Array.from({ length: 30 }, () => battery.things.updateOne({ key: 'one' }, { $inc: { n: 1 } }, { upsert: true }))
    )
    expect(await battery.things.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ key: 'one', n: 30 }])
  })
})

describe('findAndModify', () => {
  it('returns the document before or after, sorted, projected', async () => {
    await battery.things.insertMany([{ n: 1 }, { n: 2 }])
    expect(await battery.things.findOneAndUpdate({}, { $inc: { n: 10 } }, { sort: { n: -1 } })).toMatchObject({ n: 2 })
    expect(
      await battery.things.findOneAndUpdate(
        { n: 12 },
        { $inc: { n: 1 } },
        { returnDocument: 'after', projection: { _id: 0 } }
      )
    ).toEqual({ n: 13 })
    expect(await battery.things.findOneAndDelete({ n: 1 })).toMatchObject({ n: 1 })
    expect(await battery.things.findOneAndReplace({ n: 13 }, { m: 1 }, { returnDocument: 'after' })).toMatchObject({
      m: 1
    })
    expect(await battery.things.findOneAndUpdate({ n: 99 }, { $set: { a: 1 } })).toBeNull()
  })

  it('distinguishes an upsert from an update', async () => {
    const made = await battery.things.findOneAndUpdate(
      { k: 1 },
      { $set: { v: 1 } },
      { upsert: true, includeResultMetadata: true }
    )
    expect(made).toMatchObject({ value: null, lastErrorObject: { n: 1, updatedExisting: false } })
    const after = await battery.things.findOneAndUpdate(
      { k: 2 },
      { $set: { v: 1 } },
      { upsert: true, returnDocument: 'after', includeResultMetadata: true }
    )
    expect(after.value).toMatchObject({ k: 2, v: 1 })
    expect(after.lastErrorObject?.['upserted']).toEqual(after.value?._id)
  })

  it('assigns each of many clients a document of its own', async () => {
    await battery.things.insertMany(Array.from({ length: 40 }, (_, n) => ({ n, free: true })))
    const claimed = await Promise.all(
      Array.from({ length: 40 }, () =>
        battery.things.findOneAndUpdate({ free: true }, { $set: { free: false } }, { sort: { n: 1 } })
      )
    )
    expect(new Set(claimed.map((document) => document?.['n'])).size).toBe(40)
  })
})

describe('delete', () => {
  it('removes one or all', async () => {
    await battery.things.insertMany([{ a: 1 }, { a: 1 }, { a: 2 }])
    expect(await battery.things.deleteOne({ a: 1 })).toMatchObject({ deletedCount: 1 })
    expect(await battery.things.deleteMany({})).toMatchObject({ deletedCount: 2 })
    expect(await battery.things.deleteMany({})).toMatchObject({ deletedCount: 0 })
  })
})

describe('bulkWrite', () => {
  it('carries out a mixed ordered batch and reports the results', async () => {
    const result = await battery.things.bulkWrite([
      { insertOne: { document: { _id: 1 as never, a: 1 } } },
      { updateOne: { filter: { _id: 1 as never }, update: { $set: { a: 2 } } } },
      { updateOne: { filter: { _id: 2 as never }, update: { $set: { a: 3 } }, upsert: true } },
      { updateMany: { filter: {}, update: { $inc: { a: 1 } } } },
      { replaceOne: { filter: { _id: 2 as never }, replacement: { b: 1 } } },
      { deleteOne: { filter: { _id: 1 as never } } }
    ])
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 4,
      modifiedCount: 4,
      upsertedCount: 1,
      deletedCount: 1,
      upsertedIds: { 2: 2 }
    })
    expect(await battery.things.find().toArray()).toEqual([{ _id: 2, b: 1 }])
  })

  it('continues after an error if it is unordered, and names the statement', async () => {
    const operations = [
      { insertOne: { document: { _id: 1 as never } } },
      { insertOne: { document: { _id: 1 as never } } },
      { insertOne: { document: { _id: 2 as never } } }
    ]
    const unordered = await errorOf(battery.things.bulkWrite(operations, { ordered: false }))
    expect(unordered).toMatchObject({ code: 11000, result: { insertedCount: 2 } })
    expect(unordered['writeErrors'][0]).toMatchObject({ index: 1, code: 11000 })
    await battery.things.deleteMany({})
    expect(await errorOf(battery.things.bulkWrite(operations))).toMatchObject({ result: { insertedCount: 1 } })
  })
})

describe('count and distinct', () => {
  it('count with filter, skip and limit', async () => {
    await battery.things.insertMany(Array.from({ length: 10 }, (_, n) => ({ n, even: n % 2 === 0 })))
    expect(await battery.things.countDocuments({ even: true })).toBe(5)
    expect(await battery.things.countDocuments({ even: true }, { skip: 1, limit: 2 })).toBe(2)
    expect(await battery.things.estimatedDocumentCount()).toBe(10)
    expect(await battery.db.collection('nothing').countDocuments()).toBe(0)
  })

  it('list distinct values, arrays by element', async () => {
    await battery.things.insertMany([{ a: [1, 2] }, { a: 2 }, { a: null }, { b: 1 }, { a: { c: 1 } }])
    const values = await battery.things.distinct('a')
    expect(values).toHaveLength(4)
    expect(values).toEqual(expect.arrayContaining([1, 2, null, { c: 1 }]))
    await battery.things.insertMany([{ d: [{ e: 1 }, { e: 2 }] }])
    expect(new Set(await battery.things.distinct('d.e'))).toEqual(new Set([1, 2]))
  })
})

describe('an unknown command', () => {
  it('is answered with CommandNotFound', async () => {
    expect(await errorOf(battery.db.command({ bogus: 1 }))).toMatchObject({ code: 59, codeName: 'CommandNotFound' })
  })
})
