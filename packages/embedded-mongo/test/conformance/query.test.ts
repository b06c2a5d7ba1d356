import {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document
} from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()

const ids = async (filter: object, options: object = {}): Promise<unknown[]> =>
  (await battery.things.find(filter, { projection: { _id: 1 }, ...options }).toArray()).map(({ _id }) => _id as unknown)

const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents)

describe('types', () => {
  it('returns every BSON type as it was stored', async () => {
    const document = {
      _id: 1,
      double: new Double(1.5),
      wholeDouble: new Double(3),
      text: 'é😀\u0000z',
      object: { b: 1, a: { c: [] } },
      array: [1, [2, 'x'], {}],
      binary: new Binary(Buffer.from([1, 2, 3]), 0),
      uuid: new UUID('00112233-4455-6677-8899-aabbccddeeff'),
      id: new ObjectId('0123456789abcdef01234567'),
      yes: true,
      no: false,
      date: new Date(-1),
      nothing: null,
      regex: new BSONRegExp('^a.b', 'im'),
      int: new Int32(-7),
      timestamp: new Timestamp({ t: 5, i: 6 }),
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('0.1'),
      min: new MinKey(),
      max: new MaxKey()
    }
    await insert([document])
    const raw = await battery.things.findOne({ _id: 1 as never }, { promoteValues: false, bsonRegExp: true })
    expect(raw?.['double']).toEqual(new Double(1.5))
    expect(raw?.['wholeDouble']).toEqual(new Double(3))
    expect(raw?.['text']).toBe(document.text)
    expect(raw?.['int']).toEqual(new Int32(-7))
    expect(raw?.['long']).toEqual(document.long)
    expect(raw?.['decimal']).toEqual(document.decimal)
    expect(raw?.['timestamp']).toEqual(document.timestamp)
    expect(raw?.['regex']).toEqual(document.regex)
    expect(raw?.['uuid']?.toString('hex')).toBe('00112233445566778899aabbccddeeff')
    expect(raw?.['date']).toEqual(document.date)
    expect([raw?.['min']?._bsontype, raw?.['max']?._bsontype]).toEqual(['MinKey', 'MaxKey'])
    // The types survive a change elsewhere in the document.
    await battery.things.updateOne({ _id: 1 as never }, { $set: { touched: 1 } })
    const { touched, ...same }: Document =
      (await battery.things.findOne({ _id: 1 as never }, { promoteValues: false, bsonRegExp: true })) ?? {}
    expect(touched).toEqual(new Int32(1))
    expect(same).toEqual(raw)
  })

  it('sorts values of different types in the order of BSON', async () => {
    await insert([
      { _id: 'max', v: new MaxKey() },
      { _id: 'regex', v: /a/ },
      { _id: 'stamp', v: new Timestamp({ t: 1, i: 1 }) },
      { _id: 'date', v: new Date(0) },
      { _id: 'true', v: true },
      { _id: 'false', v: false },
      { _id: 'oid', v: new ObjectId() },
      { _id: 'bin', v: new Binary(Buffer.from([1])) },
      { _id: 'object', v: { a: 1 } },
      { _id: 'text', v: 'a' },
      { _id: 'number', v: 1 },
      { _id: 'nan', v: Number.NaN },
      { _id: 'null', v: null },
      { _id: 'min', v: new MinKey() }
    ])
    const order = [
      'min',
      'null',
      'nan',
      'number',
      'text',
      'object',
      'bin',
      'oid',
      'false',
      'true',
      'date',
      'stamp',
      'regex',
      'max'
    ]
    expect(await ids({}, { sort: { v: 1 } })).toEqual(order)
    expect(await ids({}, { sort: { v: -1 } })).toEqual(order.toReversed())
    await battery.things.createIndex({ v: 1 })
    expect(await ids({}, { sort: { v: 1 }, hint: { v: 1 } })).toEqual(order)
    expect(await ids({}, { sort: { v: -1 }, hint: { v: 1 } })).toEqual(order.toReversed())
  })

  it('compares numbers of all types by value, to the last digit', async () => {
    await insert([
      { _id: 1, v: Long.fromString('9007199254740993') },
      { _id: 2, v: 9007199254740992 },
      { _id: 3, v: new Double(2) },
      { _id: 4, v: 2 },
      { _id: 5, v: Decimal128.fromString('2') },
      { _id: 6, v: Decimal128.fromString('0.1') },
      { _id: 7, v: 0.1 }
    ])
    expect(await ids({ v: 2 }, { sort: { _id: 1 } })).toEqual([3, 4, 5])
    expect(await ids({ v: { $gt: 9007199254740992 } })).toEqual([1])
    expect(await ids({ v: 0.1 })).toEqual([7])
    await battery.things.createIndex({ v: 1 })
    expect(await ids({ v: 2 }, { sort: { _id: 1 }, hint: { v: 1 } })).toEqual([3, 4, 5])
    expect(await ids({ v: { $gt: 9007199254740992 } }, { hint: { v: 1 } })).toEqual([1])
    expect(await ids({ v: { $lt: 1 } }, { hint: { v: 1 }, sort: { v: 1 } })).toEqual([6, 7])
  })
})

describe('filters', () => {
  it('compares only values of one type', async () => {
    await insert([
      { _id: 1, v: 5 },
      { _id: 2, v: '5' },
      { _id: 3, v: null },
      { _id: 4 },
      { _id: 5, v: new Date(5) },
      { _id: 6, v: [3, 7] }
    ])
    expect(await ids({ v: { $gt: 4 } })).toEqual([1, 6])
    expect(await ids({ v: { $lte: '5' } })).toEqual([2])
    expect(await ids({ v: { $gte: null } })).toEqual([3, 4])
    expect(await ids({ v: { $gt: 4, $lt: 6 } })).toEqual([1, 6])
  })

  it('finds null if a field is null or missing, also through arrays', async () => {
    await insert([
      { _id: 1, a: null },
      { _id: 2 },
      { _id: 3, a: 1 },
      { _id: 4, a: [] },
      { _id: 5, a: [{ b: 1 }, {}] },
      { _id: 6, a: [{ b: 1 }] }
    ])
    expect(await ids({ a: null })).toEqual([1, 2])
    expect(await ids({ a: { $ne: null } })).toEqual([3, 4, 5, 6])
    expect(await ids({ 'a.b': null })).toEqual([1, 2, 3, 5])
    expect(await ids({ a: { $exists: false } })).toEqual([2])
    expect(await ids({ 'a.b': { $exists: true } })).toEqual([5, 6])
  })

  it('matches arrays whole, by element and by position', async () => {
    await insert([
      { _id: 1, v: [1, 2] },
      { _id: 2, v: [2, 1] },
      { _id: 3, v: [[1, 2], 3] },
      { _id: 4, v: 1 },
      { _id: 5, v: [{ a: 1 }, { a: 2 }] }
    ])
    expect(await ids({ v: [1, 2] })).toEqual([1, 3])
    expect(await ids({ v: 1 })).toEqual([1, 2, 4])
    expect(await ids({ 'v.1': 1 })).toEqual([2])
    expect(await ids({ 'v.1.a': 2 })).toEqual([5])
    expect(await ids({ v: { $size: 2 } })).toEqual([1, 2, 3, 5])
    expect(await ids({ v: { $all: [1, 2] } })).toEqual([1, 2])
    expect(await ids({ v: { $elemMatch: { $gt: 1, $lt: 3 } } })).toEqual([1, 2])
    expect(await ids({ v: { $elemMatch: { a: { $gt: 1 } } } })).toEqual([5])
    expect(await ids({ v: { $elemMatch: { a: 1, b: { $exists: false } } } })).toEqual([5])
  })

  it('compares embedded documents by the order of their fields', async () => {
    await insert([
      { _id: 1, v: { a: 1, b: 2 } },
      { _id: 2, v: { b: 2, a: 1 } }
    ])
    expect(await ids({ v: { a: 1, b: 2 } })).toEqual([1])
    expect(await ids({ 'v.a': 1, 'v.b': 2 })).toEqual([1, 2])
  })

  it('supports $in, $nin, $not, $nor, $or with all their kinds of values', async () => {
    await insert([{ _id: 1, v: 'ab' }, { _id: 2, v: 'cd' }, { _id: 3, v: null }, { _id: 4, v: ['ab', 1] }, { _id: 5 }])
    expect(await ids({ v: { $in: [/^a/, null] } })).toEqual([1, 3, 4, 5])
    expect(await ids({ v: { $nin: ['ab', 1] } })).toEqual([2, 3, 5])
    expect(await ids({ v: { $not: /^a/ } })).toEqual([2, 3, 5])
    expect(await ids({ v: { $not: { $eq: null } } })).toEqual([1, 2, 4])
    expect(await ids({ $nor: [{ v: 'ab' }, { v: 'cd' }] })).toEqual([3, 5])
    expect(await ids({ $or: [{ v: 'cd' }, { v: 1 }] })).toEqual([2, 4])
    // Many values are looked up instead of compared one by one.
    expect(await ids({ v: { $in: ['x', 'y', 'z', 2, 'cd'] } })).toEqual([2])
    expect(await ids({ v: { $in: ['x', 'y', 'z', 2, 1] } })).toEqual([4])
    expect(await ids({ v: { $in: ['x', 'y', 'z', 2, null] } })).toEqual([3, 5])
    expect(await ids({ v: { $in: ['x', 'y', 'z', 'w', 2, /^a/] } })).toEqual([1, 4])
    expect(await ids({ v: { $in: [] } })).toEqual([])
    expect(await ids({ v: { $nin: [] } })).toEqual([1, 2, 3, 4, 5])
  })

  it('finds types by name and number', async () => {
    await insert([
      { _id: 1, v: 1 },
      { _id: 2, v: 'x' },
      { _id: 3, v: [1] },
      { _id: 4, v: 1.5 },
      { _id: 5, v: null },
      { _id: 6, v: Long.fromNumber(1) }
    ])
    expect(await ids({ v: { $type: 'number' } })).toEqual([1, 3, 4, 6])
    expect(await ids({ v: { $type: 'array' } })).toEqual([3])
    expect(await ids({ v: { $type: [2, 'null'] } })).toEqual([2, 5])
    expect(await ids({ v: { $type: 'long' } })).toEqual([6])
    expect(await errorOf(ids({ v: { $type: 'nope' } }))).toMatchObject({ code: 2 })
  })

  it('finds a stored regular expression by an equal one, alone or in a list', async () => {
    await insert([
      { _id: 1, v: new BSONRegExp('^x', 'i') },
      { _id: 2, v: new BSONRegExp('^x') },
      { _id: 3, v: 'xy' }
    ])
    expect(await ids({ v: /^x/ })).toEqual([2, 3])
    expect(await ids({ v: { $in: [/^x/] } })).toEqual([2, 3])
    expect(await ids({ v: { $nin: [/^x/] } })).toEqual([1])
  })

  it('matches regular expressions with their options', async () => {
    await insert([
      { _id: 1, v: 'Hello\nWorld' },
      { _id: 2, v: 'hello' },
      { _id: 3, v: ['x', 'HELLO'] },
      { _id: 4, v: 5 }
    ])
    expect(await ids({ v: /^hello/ })).toEqual([2])
    expect(await ids({ v: { $regex: '^HELLO', $options: 'i' } })).toEqual([1, 2, 3])
    expect(await ids({ v: /^World/m })).toEqual([1])
    expect(await ids({ v: { $regex: 'hello.world', $options: 'is' } })).toEqual([1])
    expect(await ids({ v: { $regex: '^ h e l', $options: 'ix' } })).toEqual([1, 2, 3])
    expect(await errorOf(ids({ v: { $regex: '(' } }))).toMatchObject({ code: 51091 })
    expect(await errorOf(ids({ v: { $regex: 'a', $options: 'q' } }))).toBeDefined()
  })

  it('calculates with $mod, bits and $expr', async () => {
    await insert([
      { _id: 1, v: 5, w: 5 },
      { _id: 2, v: -5, w: 1 },
      { _id: 3, v: 20, w: 30 },
      { _id: 4, v: 'x' }
    ])
    expect(await ids({ v: { $mod: [4, 1] } })).toEqual([1])
    expect(await ids({ v: { $mod: [4, -1] } })).toEqual([2])
    expect(await ids({ v: { $bitsAllSet: 5 } })).toEqual([1])
    expect(await ids({ v: { $bitsAnySet: [4] } })).toEqual([2, 3])
    expect(await ids({ $expr: { $gt: ['$w', '$v'] } })).toEqual([2, 3])
    expect(await ids({ $expr: { $and: [{ $eq: ['$v', '$w'] }, { $lt: ['$_id', 3] }] } })).toEqual([1])
  })

  it('refuses an invalid query', async () => {
    expect(await errorOf(ids({ $nope: 1 }))).toMatchObject({ code: 2 })
    expect(await errorOf(ids({ a: { $nope: 1 } }))).toMatchObject({ code: 2, message: 'unknown operator: $nope' })
    expect(await errorOf(ids({ $or: [] }))).toMatchObject({ code: 2 })
    expect(await errorOf(ids({ a: { $in: 1 } }))).toMatchObject({ code: 2, message: '$in needs an array' })
  })
})

describe('projection', () => {
  it('includes and excludes fields, and keeps the order of the document', async () => {
    await insert([{ _id: 1, a: 1, b: { c: 2, d: 3 }, e: [{ f: 1, g: 2 }, { f: 3 }, 5] }])
    const project = async (projection: object): Promise<unknown> => battery.things.findOne({}, { projection })
    expect(await project({ e: 1, a: 1 })).toEqual({ _id: 1, a: 1, e: [{ f: 1, g: 2 }, { f: 3 }, 5] })
    expect(await project({ 'b.c': 1, _id: 0 })).toEqual({ b: { c: 2 } })
    expect(await project({ b: { d: 1 }, 'e.f': 1, _id: 0 })).toEqual({ b: { d: 3 }, e: [{ f: 1 }, { f: 3 }] })
    expect(await project({ b: 0, 'e.g': 0 })).toEqual({ _id: 1, a: 1, e: [{ f: 1 }, { f: 3 }, 5] })
    expect(await project({ _id: 1 })).toEqual({ _id: 1 })
    expect(await errorOf(project({ a: 1, b: 0 }))).toMatchObject({ code: 31254 })
    expect(await errorOf(project({ a: 0, b: 1 }))).toMatchObject({ code: 31253 })
  })

  it('slices arrays, finds elements and computes', async () => {
    await insert([{ _id: 1, v: [1, 2, 3, 4], w: [{ a: 1 }, { a: 2 }, { a: 2, b: 1 }] }])
    const project = async (projection: object, filter = {}): Promise<unknown> =>
      battery.things.findOne(filter, { projection: { _id: 0, ...projection } })
    expect(await project({ v: { $slice: 2 }, w: 0 })).toEqual({ v: [1, 2] })
    expect(await project({ v: { $slice: -1 }, w: 0 })).toEqual({ v: [4] })
    expect(await project({ v: { $slice: [1, 2] }, w: 0 })).toEqual({ v: [2, 3] })
    expect(await project({ w: { $elemMatch: { a: 2 } } })).toEqual({ w: [{ a: 2 }] })
    expect(await project({ 'v.$': 1 }, { v: { $gt: 2 } })).toEqual({ v: [3] })
    expect(await project({ 'w.$': 1 }, { w: { $elemMatch: { a: 2, b: 1 } } })).toEqual({ w: [{ a: 2, b: 1 }] })
    expect(await project({ sum: { $sum: '$v' }, fixed: 'text' })).toEqual({ sum: 10, fixed: 'text' })
  })
})

describe('sort, skip and limit', () => {
  it('sorts by the least element of an array ascending, and by the greatest descending', async () => {
    await insert([{ _id: 1, v: [5, 1] }, { _id: 2, v: 3 }, { _id: 3, v: [] }, { _id: 4 }, { _id: 5, v: [4, 2] }])
    expect(await ids({}, { sort: { v: 1 } })).toEqual([3, 4, 1, 5, 2])
    expect(await ids({}, { sort: { v: -1 } })).toEqual([1, 5, 2, 4, 3])
    await battery.things.createIndex({ v: 1 })
    expect(await ids({}, { sort: { v: 1 }, hint: { v: 1 } })).toEqual([3, 4, 1, 5, 2])
  })

  it('sorts by several fields, skips and limits', async () => {
    await insert(Array.from({ length: 20 }, (_, _id) => ({ _id, a: _id % 3, b: -_id })))
    expect(await ids({}, { sort: { a: 1, b: 1 }, skip: 2, limit: 3 })).toEqual([12, 9, 6])
    await battery.things.createIndex({ a: 1, b: 1 })
    expect(await ids({}, { sort: { a: 1, b: 1 }, skip: 2, limit: 3 })).toEqual([12, 9, 6])
    expect(await ids({ a: { $in: [0, 2] } }, { sort: { b: 1 }, limit: 3 })).toEqual([18, 17, 15])
    expect(await errorOf(ids({}, { sort: { a: 5 } as never }))).toBeDefined()
  })
})

describe('collation', () => {
  it('ignores case at strength 2, in filters, sorting and unique indexes', async () => {
    await insert([
      { _id: 1, v: 'apple' },
      { _id: 2, v: 'Banana' },
      { _id: 3, v: 'APPLE' },
      { _id: 4, v: 'äpple' },
      { _id: 5, v: 'cherry' }
    ])
    const collation = { locale: 'en', strength: 2 }
    expect(await ids({ v: 'Apple' }, { collation, sort: { _id: 1 } })).toEqual([1, 3])
    expect(await ids({ v: { $in: ['BANANA', 'x'] } }, { collation })).toEqual([2])
    expect(await ids({ v: { $gt: 'apple', $lt: 'c' } }, { collation, sort: { _id: 1 } })).toEqual([2, 4])
    expect(await ids({ _id: { $ne: 3 } }, { collation, sort: { v: 1 } })).toEqual([1, 4, 2, 5])
    expect(await ids({ v: 'Apple' })).toEqual([])
    const people = battery.db.collection('people')
    await people.createIndex({ email: 1 }, { unique: true, collation })
    await people.insertOne({ email: 'Ann@Example.com' })
    expect(await errorOf(people.insertOne({ email: 'ann@example.COM' }))).toMatchObject({
      code: 11000,
      keyPattern: { email: 1 }
    })
    expect(await people.countDocuments({ email: 'ANN@EXAMPLE.COM' }, { collation })).toBe(1)
    expect(await people.countDocuments({ email: 'ANN@EXAMPLE.COM' })).toBe(0)
  })

  it('tells letters with vowel signs apart at strength 1, and finds digits of any script, also through an index', async () => {
    const rooms = battery.db.collection('rooms')
    await rooms.createIndex({ name: 1 }, { unique: true, collation: { locale: 'ne', strength: 1 } })
    await rooms.insertMany([{ name: 'कोठा' }, { name: 'काठ' }, { name: 'कोठा १' }])
    expect(await errorOf(rooms.insertOne({ name: 'कोठा 1' }))).toMatchObject({ code: 11000 })
    expect(await rooms.countDocuments({ name: 'कोठा 1' }, { collation: { locale: 'ne', strength: 1 } })).toBe(1)
  })

  it('orders by a variant of a locale where asked, and refuses one that does not exist', async () => {
    await insert([
      { _id: 1, v: 'Ad' },
      { _id: 2, v: 'Ä' },
      { _id: 3, v: 'Af' }
    ])
    const sorted = (locale: string): Promise<unknown> => ids({}, { sort: { v: 1 }, collation: { locale } })
    expect(await sorted('de')).toEqual([2, 1, 3])
    expect(await sorted('de@collation=phonebook')).toEqual([1, 2, 3])
    expect(await errorOf(sorted('de@collation=nonsense'))).toMatchObject({ code: 2 })
  })

  it('sorts numbers in text by value on request', async () => {
    await insert([
      { _id: 1, v: 'a10' },
      { _id: 2, v: 'a9' },
      { _id: 3, v: 'a1' }
    ])
    expect(await ids({}, { sort: { v: 1 }, collation: { locale: 'en', numericOrdering: true } })).toEqual([3, 2, 1])
    expect(await ids({}, { sort: { v: 1 } })).toEqual([3, 1, 2])
  })
})

describe('array updates', () => {
  const update = async (
    before: object,
    change: object,
    filter: object = {},
    options: object = {}
  ): Promise<unknown> => {
    await battery.things.deleteMany({})
    await insert([{ _id: 1, ...before }])
    await battery.things.updateOne(filter, change, options)
    return battery.things.findOne({}, { projection: { _id: 0 } })
  }

  it('pushes one element or several, at a position, sorted and truncated', async () => {
    expect(await update({ v: [1] }, { $push: { v: 2 } })).toEqual({ v: [1, 2] })
    expect(await update({}, { $push: { v: { $each: [3, 1] } } })).toEqual({ v: [3, 1] })
    expect(await update({ v: [1, 5] }, { $push: { v: { $each: [3], $position: 1 } } })).toEqual({ v: [1, 3, 5] })
    expect(await update({ v: [1, 5] }, { $push: { v: { $each: [3, 4], $sort: -1, $slice: 3 } } })).toEqual({
      v: [5, 4, 3]
    })
    expect(
      await update({ v: [{ a: 2 }] }, { $push: { v: { $each: [{ a: 1 }], $sort: { a: 1 }, $slice: -5 } } })
    ).toEqual({ v: [{ a: 1 }, { a: 2 }] })
    expect(await errorOf(update({ v: 'x' }, { $push: { v: 1 } }))).toMatchObject({
      code: 2,
      message: "The field 'v' must be an array but is of type string in document {_id: 1}"
    })
  })

  it('adds to sets, pulls and pops', async () => {
    expect(await update({ v: [1] }, { $addToSet: { v: { $each: [1, 2, 2, { a: 1 }] } } })).toEqual({
      v: [1, 2, { a: 1 }]
    })
    expect(await update({ v: [1, 2, 3, 2] }, { $pull: { v: 2 } })).toEqual({ v: [1, 3] })
    expect(await update({ v: [1, 2, 3] }, { $pull: { v: { $gte: 2 } } })).toEqual({ v: [1] })
    expect(await update({ v: [{ a: 1, b: 1 }, { a: 2 }] }, { $pull: { v: { a: 1 } } })).toEqual({ v: [{ a: 2 }] })
    expect(
      await update({ v: [{ a: [1, 2] }, { a: [3] }] }, { $pull: { v: { a: { $elemMatch: { $gt: 2 } } } } })
    ).toEqual({ v: [{ a: [1, 2] }] })
    expect(await update({ v: [1, 2, 1, 3] }, { $pullAll: { v: [1, 3] } })).toEqual({ v: [2] })
    expect(await update({ v: [1, 2, 3] }, { $pop: { v: 1 } })).toEqual({ v: [1, 2] })
    expect(await update({ v: [1, 2, 3] }, { $pop: { v: -1 } })).toEqual({ v: [2, 3] })
  })

  it('writes to the element that the query found', async () => {
    expect(await update({ v: [1, 2, 3] }, { $set: { 'v.$': 9 } }, { v: 2 })).toEqual({ v: [1, 9, 3] })
    expect(await update({ v: [{ a: 1 }, { a: 2, b: 1 }] }, { $inc: { 'v.$.b': 1 } }, { 'v.a': 2 })).toEqual({
      v: [{ a: 1 }, { a: 2, b: 2 }]
    })
    expect(
      await update(
        {
          v: [
            { a: 1, b: 2 },
            { a: 1, b: 3 }
          ]
        },
        { $set: { 'v.$.hit': true } },
        { v: { $elemMatch: { a: 1, b: 3 } } }
      )
    ).toEqual({
      v: [
        { a: 1, b: 2 },
        { a: 1, b: 3, hit: true }
      ]
    })
    expect(await errorOf(update({ v: [1] }, { $set: { 'v.$': 9 } }, { _id: 1 }))).toMatchObject({
      code: 2,
      message: 'The positional operator did not find the match needed from the query.'
    })
  })

  it('writes to all elements, or to those of an array filter', async () => {
    expect(await update({ v: [1, 2] }, { $inc: { 'v.$[]': 10 } })).toEqual({ v: [11, 12] })
    expect(
      await update({ v: [1, 5, 7] }, { $set: { 'v.$[big]': 0 } }, {}, { arrayFilters: [{ big: { $gt: 4 } }] })
    ).toEqual({ v: [1, 0, 0] })
    expect(
      await update(
        {
          v: [
            { a: 1, w: [1, 2] },
            { a: 2, w: [1, 2] }
          ]
        },
        { $mul: { 'v.$[x].w.$[y]': 5 } },
        {},
        { arrayFilters: [{ 'x.a': 2 }, { y: 2 }] }
      )
    ).toEqual({
      v: [
        { a: 1, w: [1, 2] },
        { a: 2, w: [1, 10] }
      ]
    })
    expect(await errorOf(update({ v: [1] }, { $set: { 'v.$[x]': 0 } }))).toMatchObject({
      code: 2,
      message: "No array filter found for identifier 'x' in path 'v.$[x]'"
    })
    expect(await errorOf(update({ v: [1] }, { $set: { a: 0 } }, {}, { arrayFilters: [{ x: 1 }] }))).toMatchObject({
      code: 9
    })
    expect(await errorOf(update({ v: 1 }, { $set: { 'v.$[]': 0 } }))).toMatchObject({ code: 2 })
    expect(await errorOf(update({}, { $set: { 'v.$[]': 0 } }))).toMatchObject({
      code: 2,
      message: "The path 'v' must exist in the document in order to apply array updates."
    })
  })

  it('writes to a position, and fills up with null', async () => {
    expect(await update({ v: [1] }, { $set: { 'v.3': 4 } })).toEqual({ v: [1, null, null, 4] })
    expect(await update({ v: [1, 2] }, { $unset: { 'v.0': 1 } })).toEqual({ v: [null, 2] })
    expect(await errorOf(update({ v: [1] }, { $set: { 'v.x': 4 } }))).toMatchObject({ code: 28 })
    expect(await errorOf(update({ v: [1] }, { $set: { 'v.x.y': 4 } }))).toMatchObject({ code: 28 })
  })

  it('writes to a field of a reference, and to no other with a dollar', async () => {
    expect(await update({ v: { $ref: 'rooms', $id: 1 } }, { $set: { 'v.$id': 2 } })).toMatchObject({ v: { oid: 2 } })
    expect(await errorOf(update({ v: {} }, { $set: { 'v.$x': 2 } }))).toMatchObject({ code: 52 })
  })
})
