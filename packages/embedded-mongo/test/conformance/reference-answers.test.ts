import { Binary, BSONRegExp, Decimal128, Long, Timestamp, type Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

// Cases of MongoDB's own tests that the engine once answered differently, or not at all.
const battery = startBattery()
const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents as never[])
const ids = async (filter: object): Promise<unknown[]> =>
  (await battery.things.find(filter, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id as unknown)
const update = (filter: object, change: Document): Promise<unknown> => battery.things.updateOne(filter, change)
const all = async (): Promise<Document[]> => battery.things.find({}, { sort: { _id: 1 } }).toArray()
const decimal = (text: string): Decimal128 => Decimal128.fromString(text)

describe('a command', () => {
  const command = (asked: Document): Promise<Document> => battery.db.command(asked)
  it('without a filter changes nothing', async () => {
    await insert([{ _id: 1 }])
    expect(await errorOf(command({ delete: 'things', deletes: [{ limit: 0 }] }))).toMatchObject({ code: 40414 })
    expect(await errorOf(command({ update: 'things', updates: [{ u: { $set: { a: 1 } } }] }))).toMatchObject({
      code: 40414
    })
    expect(await all()).toEqual([{ _id: 1 }])
  })

  it('takes a flag of the right type only', async () => {
    await insert([{ _id: 1 }, { _id: 2 }])
    const several = { q: {}, u: { $set: { a: 1 } }, multi: 1 }
    expect(await errorOf(command({ update: 'things', updates: [several] }))).toMatchObject({ code: 14 })
    const changed = { findAndModify: 'things', query: { _id: 1 }, update: { $set: { a: 2 } } }
    expect(await command({ ...changed, new: 1 })).toMatchObject({ value: { _id: 1, a: 2 } })
    expect(await errorOf(command({ ...changed, new: 'yes' }))).toMatchObject({ code: 14 })
    expect(await command({ findAndModify: 'things', query: { _id: 2 }, remove: 1 })).toMatchObject({
      value: { _id: 2 }
    })
  })
})

describe('a projection that shows _id and slices', () => {
  it('shows nothing else', async () => {
    await insert([{ _id: 1, a: { b: [1, 2], c: 3 }, d: 4 }])
    const shown = (projection: object): Promise<Document | null> => battery.things.findOne({}, { projection })
    expect(await shown({ _id: 1, 'a.b': { $slice: 1 } })).toEqual({ _id: 1, a: { b: [1] } })
    expect(await shown({ 'a.b': { $slice: 1 } })).toEqual({ _id: 1, a: { b: [1], c: 3 }, d: 4 })
    expect(await shown({ 'a.b': { $slice: Number.NaN } })).toEqual({ _id: 1, a: { b: [], c: 3 }, d: 4 })
  })
})

describe('a replacement', () => {
  it('has no name with a dollar, nowhere at its top', async () => {
    await insert([{ _id: 1 }])
    const replaced = await battery.db.command({ update: 'things', updates: [{ q: {}, u: { a: 1, $b: 2 } }] })
    expect(replaced['writeErrors']).toMatchObject([{ code: 52 }])
    expect(await all()).toEqual([{ _id: 1 }])
  })
})

describe('$rename', () => {
  it('neither removes nor overwrites _id', async () => {
    await insert([{ _id: 1, a: 7 }])
    expect(await errorOf(update({}, { $rename: { a: '_id' } }))).toMatchObject({ code: 66 })
    expect(await errorOf(update({}, { $rename: { _id: 'b' } }))).toMatchObject({ code: 66 })
    expect(await all()).toEqual([{ _id: 1, a: 7 }])
  })
})

describe('$merge with a pipeline', () => {
  const merge = (...whenMatched: Document[]): Promise<unknown> =>
    battery.things.aggregate([{ $set: { v: 1 } }, { $merge: { into: 'things', whenMatched } }]).toArray()

  it('keeps the _id of a document', async () => {
    await insert([{ _id: 1, a: 7 }])
    await merge({ $replaceWith: { z: 1 } })
    expect(await all()).toEqual([{ _id: 1, z: 1 }])
    expect(await errorOf(merge({ $set: { _id: 2 } }))).toMatchObject({ code: 66 })
    expect(await all()).toEqual([{ _id: 1, z: 1 }])
  })
})

describe('$mul of a missing field', () => {
  it('sets a zero of the type of its factor', async () => {
    await insert([{ _id: 1 }])
    await update({}, { $mul: { a: decimal('2.5') } })
    expect(await all()).toEqual([{ _id: 1, a: decimal('0') }])
  })
})

describe('$', () => {
  it.each([
    { a: { $ne: 7 } },
    { a: { $nin: [7] } },
    { a: { $not: { $gt: 7 } } },
    { a: { $exists: true } },
    { 'a.b': { $exists: false } }
  ])('stands for no element that %j has found', async (filter) => {
    await insert([{ _id: 1, a: [1, 2] }])
    expect(await errorOf(update(filter, { $set: { 'a.$': 0 } }))).toMatchObject({ code: 2 })
    expect(await errorOf(battery.things.findOne(filter, { projection: { 'a.$': 1 } }))).toMatchObject({ code: 51246 })
    expect(await all()).toEqual([{ _id: 1, a: [1, 2] }])
  })
})

describe('numbers that JavaScript cannot represent exactly', () => {
  const most = Long.fromString('9223372036854775807')
  it('have a remainder', async () => {
    await insert([
      { _id: 1, v: most },
      { _id: 2, v: decimal('9223372036854775807') },
      { _id: 3, v: decimal('-7.9') },
      { _id: 4, v: decimal('1E+40') }
    ])
    expect(await ids({ v: { $mod: [most, 0] } })).toEqual([1, 2])
    expect(await ids({ v: { $mod: [10, 7] } })).toEqual([1, 2])
    expect(await ids({ v: { $mod: [decimal('5.5'), -2] } })).toEqual([3])
    expect(await errorOf(ids({ v: { $mod: [1e19, 0] } }))).toMatchObject({ code: 2 })
  })

  it('have bits', async () => {
    await insert([
      { _id: 1, v: decimal('9223372036854775807') },
      { _id: 2, v: -1 },
      { _id: 3, v: 1 },
      { _id: 4, v: new Timestamp({ t: 0, i: 3 }) },
      { _id: 5, v: decimal('1.5') }
    ])
    expect(await ids({ v: { $bitsAllSet: [0, 62] } })).toEqual([1, 2])
    expect(await ids({ v: { $bitsAllSet: [0, 200] } })).toEqual([2])
    expect(await ids({ v: { $bitsAllSet: decimal('9223372036854775807') } })).toEqual([1, 2])
    for (const mask of [1.5, 1e19, Number.NaN, decimal('9223372036854775808')])
      expect(await errorOf(ids({ v: { $bitsAllSet: mask } }))).toMatchObject({ code: 9 })
    expect(await errorOf(ids({ v: { $bitsAllSet: [2 ** 31] } }))).toMatchObject({ code: 2 })
  })

  it('have bits in binary data', async () => {
    await insert([
      { _id: 1, v: new Binary(Buffer.alloc(20, 0xff)) },
      { _id: 2, v: new Binary(Buffer.from([...Buffer.alloc(19, 0xff), 0x7f])) }
    ])
    expect(await ids({ v: { $bitsAllSet: [159] } })).toEqual([1])
    expect(await ids({ v: { $bitsAllClear: [159] } })).toEqual([2])
    expect(await ids({ v: { $bitsAllClear: [300] } })).toEqual([1, 2])
  })
})

describe('NaN as a decimal', () => {
  it('is near no number, and equals itself', async () => {
    await insert([{ _id: 1, v: Number.NaN }, { _id: 2, v: 5 }, { _id: 3, v: decimal('NaN') }, { _id: 4 }])
    const answers = async (): Promise<unknown[]> =>
      Promise.all(['$gt', '$gte', '$lt', '$lte'].map((op) => ids({ v: { [op]: decimal('NaN') } })))
    expect(await answers()).toEqual([[], [1, 3], [], [1, 3]])
    await battery.things.createIndex({ v: 1 })
    expect(await answers()).toEqual([[], [1, 3], [], [1, 3]])
  })
})

describe('$all and $elemMatch', () => {
  it('are not mixed with values, nor with $expr', async () => {
    await insert([{ _id: 1, a: [{ x: 1 }, 'y'] }])
    const elements = { $elemMatch: { x: 1 } }
    expect(await ids({ a: { $all: [elements] } })).toEqual([1])
    for (const list of [
      [elements, 'y'],
      ['y', elements]
    ])
      expect(await errorOf(ids({ a: { $all: list } }))).toMatchObject({ code: 2 })
    for (const inner of [{ $expr: { $eq: ['$x', 1] } }, { $or: [{ $expr: true }] }])
      expect(await errorOf(ids({ a: { $elemMatch: inner } }))).toMatchObject({ code: 2 })
  })
})

describe('arrays', () => {
  it('contain no missing values, not even beside null', async () => {
    await insert([{ _id: 1, a: [1, null] }])
    const asked = { in: { $in: ['$b', '$a'] }, at: { $indexOfArray: ['$a', '$b'] }, null: { $in: [null, '$a'] } }
    const [found] = await battery.things.aggregate([{ $project: { _id: 0, ...asked } }]).toArray()
    expect(found).toEqual({ in: false, at: -1, null: true })
  })

  it('are one value if elements are sorted by a field that holds them', async () => {
    const sorted = [{ v: 9 }, { v: [2] }, { v: [3, 1] }]
    await insert([{ _id: 1, a: sorted.toReversed() }])
    const [found] = await battery.things
      .aggregate([{ $project: { a: { $sortArray: { input: '$a', sortBy: { v: 1 } } } } }])
      .toArray()
    expect(found).toEqual({ _id: 1, a: sorted })
    await update({}, { $push: { a: { $each: [], $sort: { v: 1 } } } } as never)
    expect(await all()).toEqual([{ _id: 1, a: sorted }])
  })

  it('of numbers from minus zero start at zero', async () => {
    await insert([{ _id: 1 }])
    const [found] = await battery.things.aggregate([{ $project: { a: { $range: [-0, 2] } } }]).toArray()
    expect(found).toEqual({ _id: 1, a: [0, 1] })
  })
})

describe('of a date', () => {
  const date = new Date('2024-06-15T12:00:00Z')
  it.each([
    { $dateToParts: { date, timezone: '$none' } },
    { $dateToParts: { date, iso8601: null } },
    { $dateToString: { date, format: '$none' } },
    { $dateAdd: { startDate: date, unit: 'day', amount: 1, timezone: '$none' } },
    { $dateTrunc: { date, unit: 'week', startOfWeek: '$none' } },
    { $dateTrunc: { date, unit: 'day', binSize: '$none' } },
    { $dateDiff: { startDate: date, endDate: date, unit: 'day', timezone: null } },
    { $dateFromParts: { year: 2024, month: '$none' } }
  ])('nothing is the result of a missing argument: %j', async (r) => {
    await insert([{ _id: 1 }])
    expect(await battery.things.aggregate([{ $project: { r } }]).toArray()).toEqual([{ _id: 1, r: null }])
  })

  it('the offset is in minutes', async () => {
    await insert([{ _id: 1 }])
    const shown = (timezone: string): object => ({ $dateToString: { date, format: '%Z', timezone } })
    const fields = { east: shown('Asia/Kathmandu'), west: shown('-03:30'), none: shown('UTC') }
    expect(await battery.things.aggregate([{ $project: { _id: 0, ...fields } }]).toArray()).toEqual([
      { east: '345', west: '-210', none: '0' }
    ])
  })
})

describe('a regular expression', () => {
  it.each([
    [String.raw`^\p{Latin}+$`, 'hello'],
    [String.raw`^\pL+$`, 'Привет'],
    [String.raw`^\p{^L}+$`, '12'],
    ['^[[:upper:][:digit:]_]+$', 'AB_1'],
    [String.raw`^\Q1.b+\E$`, '1.b+'],
    [String.raw`\Ab\z`, 'b'],
    ['b$', 'b\n'],
    [String.raw`b\Z`, 'b\n'],
    ['a.b', 'a\rb'],
    [String.raw`\x{41}\e`, 'A\u001b'],
    [String.raw`a\R\Nb`, 'a\r\nxb'],
    [String.raw`a[\h]b`, 'a\tb'],
    ['^[]a]+$', ']a'],
    ['a(?#note)b', 'ab'],
    ['(?P<one>a)(?P=one)', 'aa']
  ])('%s finds %j', async (pattern, text) => {
    await insert([{ _id: 1, v: text }])
    expect(await ids({ v: new BSONRegExp(pattern) })).toEqual([1])
  })

  it.each([
    [String.raw`^b\z`, '', 'b\n'],
    [String.raw`\Ab`, 'm', 'a\nb'],
    ['^b', 'm', 'a\rb'],
    [String.raw`\s`, '', '\u00a0'],
    [String.raw`^\p{Lu}$`, '', 'p{Lu}']
  ])('%s with %j does not find %j', async (pattern, options, text) => {
    await insert([{ _id: 1, v: text }])
    expect(await ids({ v: new BSONRegExp(pattern, options) })).toEqual([])
  })

  it.each(['a\\Kb', '\\Ga', '\\X', '[[:^alpha:]]', '\\p{Nonsense}', 'a++'])(
    'is refused rather than interpreted differently: %s',
    async (pattern) => {
      expect(await errorOf(ids({ v: new BSONRegExp(pattern) }))).toMatchObject({ code: 51091 })
    }
  )
})

describe('an empty timestamp', () => {
  const zero = new Timestamp({ t: 0, i: 0 })
  const filled = expect.toSatisfy((value) => value instanceof Timestamp && !value.isZero()) as unknown

  it("at the top of a document that is stored whole becomes the server's time", async () => {
    await insert([{ _id: 1, at: zero, to: zero, in: { at: zero }, list: [zero] }])
    await battery.things.replaceOne({ _id: 2 as never }, { at: zero }, { upsert: true })
    await battery.things.findOneAndReplace({ _id: 3 as never }, { at: zero }, { upsert: true })
    const [first, second, third] = await all()
    expect(first).toEqual({ _id: 1, at: filled, to: filled, in: { at: zero }, list: [zero] })
    expect(first?.['to']).not.toEqual(first?.['at'])
    expect(second).toEqual({ _id: 2, at: filled })
    expect(third).toEqual({ _id: 3, at: filled })
  })

  it('is kept in an _id, and where an operator sets it', async () => {
    await insert([{ _id: zero, n: 1 }])
    await update({ _id: zero }, { $set: { at: zero } })
    expect(await all()).toEqual([{ _id: zero, n: 1, at: zero }])
  })
})
