import { Long, type Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

// Rules that are easily implemented almost right: another engine would answer differently, without an error.
const battery = startBattery()
const insert = (documents: object[]): Promise<unknown> => battery.things.insertMany(documents as never[])
const run = (pipeline: Document[], options: object = {}): Promise<Document[]> =>
  battery.things.aggregate(pipeline, options).toArray()
async function compute(expression: unknown, document: object = {}, options: object = {}): Promise<unknown> {
  await battery.things.deleteMany({})
  await battery.things.insertOne({ _id: 1 as never, ...document })
  const [result] = await run([{ $project: { _id: 0, r: expression } }], options)
  return result?.['r']
}
const texts = (values: unknown): string[] => (values as string[]).map((value) => value.toLowerCase()).toSorted()

describe('a collation', () => {
  const collation = { locale: 'en', strength: 2 }
  const seed = (): Promise<unknown> =>
    insert([
      { _id: 1, room: 'Kitchen', n: 1 },
      { _id: 2, room: 'KITCHEN', n: 2 },
      { _id: 3, room: 'hall', n: 4 },
      { _id: 4, room: 'kitchen', n: 8 }
    ])

  it('decides which values form one group', async () => {
    await seed()
    const sums = await run([{ $group: { _id: '$room', n: { $sum: '$n' }, names: { $addToSet: '$room' } } }], {
      collation
    })
    expect(sums.map(({ n }) => n as number).toSorted((a, b) => a - b)).toEqual([4, 11])
    expect(sums.map(({ names }) => (names as string[]).length)).toEqual([1, 1])
    expect(await run([{ $group: { _id: '$room' } }])).toHaveLength(4)
    expect(await run([{ $sortByCount: '$room' }], { collation })).toMatchObject([{ count: 3 }, { count: 1 }])
    const composed = await run([{ $group: { _id: { at: ['$room'] }, n: { $sum: '$n' } } }], { collation })
    expect(composed).toHaveLength(2)
  })

  it('decides which values are distinct', async () => {
    await seed()
    expect(texts(await battery.things.distinct('room', {}, { collation }))).toEqual(['hall', 'kitchen'])
    expect(await battery.things.distinct('room')).toHaveLength(4)
  })

  it('decides what is in a set, at which position, and in which bucket', async () => {
    const ask = (expression: unknown): Promise<unknown> => compute(expression, { v: ['A', 'b'] }, { collation })
    expect(texts(await ask({ $setUnion: ['$v', ['a', 'B', 'c']] }))).toEqual(['a', 'b', 'c'])
    expect(texts(await ask({ $setIntersection: ['$v', ['a']] }))).toEqual(['a'])
    expect(await ask({ $setDifference: ['$v', ['a']] })).toEqual(['b'])
    expect(await ask({ $setEquals: ['$v', ['B', 'a']] })).toBe(true)
    expect(await ask({ $setIsSubset: [['B'], '$v'] })).toBe(true)
    expect(await ask({ $indexOfArray: ['$v', 'B'] })).toBe(1)
    expect(await compute({ $indexOfArray: ['$v', 'B'] }, { v: ['A', 'b'] })).toBe(-1)
    await battery.things.deleteMany({})
    await seed()
    const buckets = await run([{ $bucket: { groupBy: '$room', boundaries: ['HALL', 'Kitchen', 'z'] } }], { collation })
    expect(buckets).toMatchObject([{ count: 1 }, { count: 3 }])
  })

  it('of a query decides whether a partial index covers the query', async () => {
    await battery.things.createIndex({ n: 1 }, { partialFilterExpression: { room: { $eq: 'hall' } } })
    await insert([
      { _id: 1, n: 1, room: 'hall' },
      { _id: 2, n: 1, room: 'HALL' }
    ])
    expect(await battery.things.find({ n: 1, room: 'hall' }, { collation }).toArray()).toHaveLength(2)
    expect(await battery.things.find({ n: 1, room: 'hall' }).toArray()).toHaveLength(1)
  })
})

describe('projections', () => {
  it('set _id to what the stage says, also to null or nothing', async () => {
    await insert([{ _id: 1, n: 5 }])
    expect(await run([{ $project: { _id: '$nothing', n: 1 } }])).toEqual([{ n: 5 }])
    expect(await run([{ $project: { _id: { $ifNull: ['$nothing', null] }, n: 1 } }])).toEqual([{ _id: null, n: 5 }])
    expect(await run([{ $project: { _id: '$n' } }])).toEqual([{ _id: 5 }])
    const grouped = [{ $group: { _id: { room: '$room' }, n: { $sum: 1 } } }, { $project: { _id: '$_id.room', n: 1 } }]
    expect(await run(grouped)).toEqual([{ n: 1 }])
  })
})

describe('computed fields', () => {
  it('replace a scalar in their path with a document, also in arrays', async () => {
    await insert([{ _id: 1, n: 5, a: 7, list: [1, { c: 2 }, [3]] }])
    expect(await run([{ $project: { 'a.b': '$n', 'list.b': '$n' } }])).toEqual([
      { _id: 1, a: { b: 5 }, list: [{ b: 5 }, { b: 5 }, [{ b: 5 }]] }
    ])
    expect(await run([{ $project: { 'a.b': 1, 'list.c': 1 } }])).toEqual([{ _id: 1, list: [{ c: 2 }, []] }])
  })
})

describe('stages', () => {
  it('count positions of an unwound array as longs', async () => {
    await insert([{ _id: 1, v: ['x'] }])
    const [one] = await run([
      { $unwind: { path: '$v', includeArrayIndex: 'at' } },
      { $project: { kind: { $type: '$at' } } }
    ])
    expect(one).toEqual({ _id: 1, kind: 'long' })
  })

  it('see the variables of a $lookup wherever its first match names them', async () => {
    await insert([
      { _id: 1, n: 1 },
      { _id: 2, n: 2 }
    ])
    const [found] = await run([
      { $match: { _id: 1 } },
      {
        $lookup: {
          from: 'things',
          let: { mine: '$n' },
          pipeline: [{ $match: { $and: [{ _id: { $gt: 0 } }, { $expr: { $gt: ['$n', '$$mine'] } }] } }],
          as: 'more'
        }
      }
    ])
    expect(found).toEqual({ _id: 1, n: 1, more: [{ _id: 2, n: 2 }] })
  })
})

describe('expressions', () => {
  it('fill short arrays of $zip, and keep the nulls of long ones', async () => {
    const zip = { inputs: [[1, null, 3], [9]], useLongestLength: true, defaults: ['a', 'b'] }
    expect(await compute({ $zip: zip })).toEqual([
      [1, 9],
      [null, 'b'],
      [3, 'b']
    ])
    expect(await errorOf(compute({ $zip: { inputs: [[1]], defaults: ['a'] } }))).toMatchObject({ code: 34466 })
  })

  it('keep every digit of a power that fits in a long', async () => {
    await insert([{ _id: 1 }])
    const [power] = await run([{ $project: { _id: 0, r: { $pow: [3, 39] } } }], { promoteLongs: false })
    expect(power?.['r']).toEqual(Long.fromString('4052555153018976267'))
    expect(await compute({ $pow: [2, -1] })).toBe(0.5)
    expect(await compute({ $type: { $abs: -2147483648 } })).toBe('long')
  })

  it.each([
    ['$indexOfArray', ['a', 'b', 'a'], 'a'],
    ['$indexOfCP', 'aba', 'a'],
    ['$indexOfBytes', 'aba', 'a']
  ])('search with %s between two places, which are whole numbers and not negative', async (operator, within, what) => {
    const search = (...places: unknown[]): Promise<unknown> =>
      compute({ [operator]: [{ $literal: within }, what, ...places] })
    expect(await search()).toBe(0)
    expect(await search(1)).toBe(2)
    expect(await search(1, 2)).toBe(-1)
    expect(await search(1, 9)).toBe(2)
    expect(await search(4, 9)).toBe(-1)
    for (const places of [[1.5], ['x'], [null], [0, 1.5]])
      expect(await errorOf(search(...places))).toMatchObject({ code: 40096 })
    for (const places of [[-1], [0, -1]]) expect(await errorOf(search(...places))).toMatchObject({ code: 40097 })
  })

  it('refuse logarithms that do not exist', async () => {
    expect(await errorOf(compute({ $ln: -1 }))).toMatchObject({ code: 28766 })
    expect(await errorOf(compute({ $log10: 0 }))).toMatchObject({ code: 28761 })
    expect(await errorOf(compute({ $log: [-1, 2] }))).toMatchObject({ code: 28758 })
    expect(await errorOf(compute({ $log: [8, 1] }))).toMatchObject({ code: 28759 })
    expect(await errorOf(compute({ $pow: [0, -1] }))).toMatchObject({ code: 28764 })
  })

  it('distinguish the first century from the last', async () => {
    expect(await compute({ $year: { $dateFromParts: { year: 50, month: 2, day: 3 } } })).toBe(50)
    expect(await compute({ $year: { $toDate: '0050-02-03T00:00:00Z' } })).toBe(50)
    expect(await compute({ $dayOfYear: { $dateFromParts: { year: 50, month: 2, day: 3 } } })).toBe(34)
  })

  it('compare without case in ASCII only', async () => {
    expect(await compute({ $strcasecmp: ['ABC', 'abc'] })).toBe(0)
    expect(await compute({ $strcasecmp: ['Ä', 'ä'] })).not.toBe(0)
  })
})

describe('long lists', () => {
  it('are looked up in an index, also when there are thousands', async () => {
    await insert(Array.from({ length: 3000 }, (_, _id) => ({ _id })))
    const wanted = Array.from({ length: 2500 }, (_, i) => i * 2)
    const query = { _id: { $in: wanted as never[] } }
    expect(await battery.things.countDocuments(query)).toBe(1500)
    const plan = JSON.stringify(await battery.things.find(query).explain('queryPlanner'))
    expect(plan).toContain('IXSCAN')
    expect(await battery.things.countDocuments({ $and: [query, { _id: { $in: [2, 3, 4] as never[] } }] })).toBe(2)
  })
})

describe('an expression at a limit', () => {
  const at = (text: string): Date => new Date(`${text}T12:00:00Z`)
  const weeks = (from: string, to: string, startOfWeek?: string): object => ({
    $dateDiff: { startDate: at(from), endDate: at(to), unit: 'week', ...(startOfWeek && { startOfWeek }) }
  })

  it.each([
    [weeks('2026-11-21', '2026-11-22'), 1],
    [weeks('2026-11-22', '2026-11-28'), 0],
    [weeks('2026-11-21', '2026-11-22', 'monday'), 0],
    [weeks('2026-11-22', '2026-11-23', 'monday'), 1],
    [{ $year: ['$at'] }, 2026],
    [{ $substrBytes: ['hello', 0, 2] }, 'he'],
    [{ $substrBytes: ['hello', 1, 0] }, ''],
    [{ $substrBytes: ['hello', 2, -1] }, 'llo'],
    [{ $setUnion: [['a'], null] }, null],
    [{ $sum: [1, 1e100, 1, -1e100] }, 2]
  ])('%j is %j', async (expression, expected) => {
    expect(await compute(expression, { at: at('2026-11-21') })).toBe(expected)
  })
})
