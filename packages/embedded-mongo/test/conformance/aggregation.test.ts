import { Double, Long, type Document } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()
const run = (pipeline: Document[], options: object = {}): Promise<Document[]> =>
  battery.things.aggregate(pipeline, options).toArray()
/** Evaluates an expression for one document. */
async function compute(expression: unknown, document: object = {}): Promise<unknown> {
  await battery.things.deleteMany({})
  await battery.things.insertOne({ _id: 1 as never, ...document })
  const [result] = await run([{ $project: { _id: 0, r: expression } }])
  return result?.['r']
}
const seed = (): Promise<unknown> =>
  battery.things.insertMany([
    { _id: 1, group: 'a', n: 1, tags: ['x', 'y'], at: new Date('2026-01-01T10:30:00Z') },
    { _id: 2, group: 'b', n: 5, tags: [], at: new Date('2026-01-01T11:30:00Z') },
    { _id: 3, group: 'a', n: 3, at: new Date('2026-01-02T10:30:00Z') },
    { _id: 4, group: 'b', n: 7, tags: ['x'], at: new Date('2026-02-01T10:30:00Z') }
  ] as never[])

describe('stages', () => {
  beforeEach(seed)

  it('group with every accumulator', async () => {
    const result = await run([
      { $sort: { _id: 1 } },
      {
        $group: {
          _id: '$group',
          sum: { $sum: '$n' },
          avg: { $avg: '$n' },
          min: { $min: '$n' },
          max: { $max: '$n' },
          first: { $first: '$n' },
          last: { $last: '$n' },
          all: { $push: '$n' },
          set: { $addToSet: '$group' },
          count: { $count: {} },
          two: { $firstN: { input: '$n', n: 1 } },
          merged: { $mergeObjects: { last: '$_id' } }
        }
      },
      { $sort: { _id: 1 } }
    ])
    expect(result).toEqual([
      {
        _id: 'a',
        sum: 4,
        avg: 2,
        min: 1,
        max: 3,
        first: 1,
        last: 3,
        all: [1, 3],
        set: ['a'],
        count: 2,
        two: [1],
        merged: { last: 3 }
      },
      {
        _id: 'b',
        sum: 12,
        avg: 6,
        min: 5,
        max: 7,
        first: 5,
        last: 7,
        all: [5, 7],
        set: ['b'],
        count: 2,
        two: [5],
        merged: { last: 4 }
      }
    ])
    expect(
      await run([
        { $group: { _id: { g: '$group', big: { $gt: ['$n', 4] } }, n: { $sum: 1 } } },
        { $sort: { '_id.g': 1 } }
      ])
    ).toEqual([
      { _id: { g: 'a', big: false }, n: 2 },
      { _id: { g: 'b', big: true }, n: 2 }
    ])
  })

  it('match, project, add, remove, sort, skip, limit, count', async () => {
    expect(
      await run([
        { $match: { n: { $gt: 2 } } },
        { $sort: { n: -1 } },
        { $skip: 1 },
        { $limit: 1 },
        { $project: { n: 1 } }
      ])
    ).toEqual([{ _id: 2, n: 5 }])
    expect(
      await run([
        { $match: { _id: 1 } },
        { $addFields: { 'x.y': 1, n: { $add: ['$n', 1] } } },
        { $unset: ['tags', 'at'] }
      ])
    ).toEqual([{ _id: 1, group: 'a', n: 2, x: { y: 1 } }])
    expect(await run([{ $match: { group: 'a' } }, { $count: 'total' }])).toEqual([{ total: 2 }])
    expect(await run([{ $match: { group: 'nope' } }, { $count: 'total' }])).toEqual([])
    expect(await run([{ $sortByCount: '$group' }, { $sort: { _id: 1 } }])).toEqual([
      { _id: 'a', count: 2 },
      { _id: 'b', count: 2 }
    ])
    expect(await run([{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { was: '$_id' } } }])).toEqual([{ was: 1 }])
  })

  it('unwind arrays', async () => {
    expect(await run([{ $unwind: '$tags' }, { $project: { tags: 1 } }])).toEqual([
      { _id: 1, tags: 'x' },
      { _id: 1, tags: 'y' },
      { _id: 4, tags: 'x' }
    ])
    const kept = await run([
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
      { $project: { tags: 1, i: 1 } }
    ])
    expect(kept).toEqual([
      { _id: 1, tags: 'x', i: 0 },
      { _id: 1, tags: 'y', i: 1 },
      { _id: 2, i: null },
      { _id: 3, i: null },
      { _id: 4, tags: 'x', i: 0 }
    ])
  })

  it('look up by field, by pipeline and by both', async () => {
    await battery.db.collection('groups').insertMany([
      { _id: 'a', name: 'first', floor: 1 },
      { _id: 'b', name: 'second', floor: 2 }
    ] as never[])
    const joined = await run([
      { $match: { _id: { $lte: 2 } } },
      { $lookup: { from: 'groups', localField: 'group', foreignField: '_id', as: 'g' } },
      { $unwind: '$g' },
      { $project: { name: '$g.name' } }
    ])
    expect(joined).toEqual([
      { _id: 1, name: 'first' },
      { _id: 2, name: 'second' }
    ])
    const piped = await run([
      { $match: { _id: 2 } },
      {
        $lookup: {
          from: 'groups',
          let: { g: '$group' },
          pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$g'] } } }, { $project: { _id: 0, floor: 1 } }],
          as: 'g'
        }
      },
      { $project: { g: 1 } }
    ])
    expect(piped).toEqual([{ _id: 2, g: [{ floor: 2 }] }])
    const both = await run([
      { $match: { _id: 1 } },
      {
        $lookup: {
          from: 'groups',
          localField: 'group',
          foreignField: '_id',
          pipeline: [{ $match: { floor: { $gt: 5 } } }],
          as: 'g'
        }
      },
      { $project: { g: 1 } }
    ])
    expect(both).toEqual([{ _id: 1, g: [] }])
  })

  it('facet, unite and bucket documents', async () => {
    expect(
      await run([
        { $facet: { few: [{ $sort: { n: 1 } }, { $limit: 1 }, { $project: { n: 1 } }], count: [{ $count: 'n' }] } }
      ])
    ).toEqual([{ few: [{ _id: 1, n: 1 }], count: [{ n: 4 }] }])
    await battery.db.collection('more').insertOne({ _id: 9 as never })
    expect(await run([{ $match: { _id: 1 } }, { $project: { _id: 1 } }, { $unionWith: 'more' }])).toEqual([
      { _id: 1 },
      { _id: 9 }
    ])
    expect(
      await run([
        { $bucket: { groupBy: '$n', boundaries: [0, 4, 6], default: 'more', output: { ids: { $push: '$_id' } } } }
      ])
    ).toEqual([
      { _id: 0, ids: [1, 3] },
      { _id: 4, ids: [2] },
      { _id: 'more', ids: [4] }
    ])
  })

  it('write to collections: $merge and $out', async () => {
    const sums = [{ $group: { _id: '$group', sum: { $sum: '$n' } } }]
    await run([...sums, { $merge: { into: 'sums' } }])
    await battery.things.insertOne({ _id: 9 as never, group: 'a', n: 10 })
    await run([...sums, { $merge: { into: 'sums', whenMatched: 'replace', whenNotMatched: 'insert' } }])
    const target = battery.db.collection('sums')
    expect(await target.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', sum: 14 },
      { _id: 'b', sum: 12 }
    ])
    await run([
      { $match: { _id: 1 } },
      { $project: { group: 1 } },
      { $merge: { into: 'sums', on: '_id', whenMatched: 'keepExisting', whenNotMatched: 'discard' } }
    ])
    expect(await target.countDocuments()).toBe(2)
    await run([{ $match: { _id: 1 } }, { $project: { n: 1 } }, { $out: 'sums' }])
    expect(await target.find().toArray()).toEqual([{ _id: 1, n: 1 }])
  })

  it('sample as many documents as asked for', async () => {
    expect(await run([{ $sample: { size: 2 } }])).toHaveLength(2)
  })

  it('refuse an unknown stage', async () => {
    expect(await errorOf(run([{ $nope: 1 }]))).toMatchObject({ code: 40324 })
    expect(await errorOf(run([{ $match: {}, $limit: 1 }]))).toMatchObject({ code: 40323 })
    expect(await errorOf(run([{ $out: 'x' }, { $match: {} }]))).toMatchObject({ code: 40601 })
    expect(await errorOf(run([{ $project: { a: { $nope: 1 } } }]))).toBeDefined()
  })
})

describe('expressions', () => {
  const table: [unknown, unknown, object?][] = [
    [{ $add: ['$a', 2, 3] }, 6, { a: 1 }],
    [{ $add: ['$at', 1000] }, new Date(2000), { at: new Date(1000) }],
    [{ $subtract: ['$b', '$a'] }, 4, { a: 1, b: 5 }],
    [{ $multiply: ['$a', 2.5] }, 5, { a: 2 }],
    [{ $divide: [7, 2] }, 3.5],
    [{ $mod: [-7, 3] }, -1],
    [{ $round: [2.345, 2] }, 2.35],
    [{ $round: 2.5 }, 2],
    [{ $trunc: [-2.7] }, -2],
    [{ $pow: [2, 10] }, 1024],
    [{ $abs: -5 }, 5],
    [{ $ceil: 1.2 }, 2],
    [{ $sqrt: 16 }, 4],
    [{ $add: ['$missing', 1] }, null],
    [{ $cond: [{ $gt: ['$a', 1] }, 'yes', 'no'] }, 'yes', { a: 2 }],
    [{ $ifNull: ['$missing', '$none', 'otherwise'] }, 'otherwise', { none: null }],
    [{ $switch: { branches: [{ case: { $eq: ['$a', 1] }, then: 'one' }], default: 'many' } }, 'many', { a: 2 }],
    [{ $and: [1, '$a', { $not: [false] }] }, true, { a: 'x' }],
    [{ $or: [0, null, '$missing'] }, false],
    [{ $cmp: ['a', 5] }, 1],
    [{ $eq: [{ $type: '$missing' }, 'missing'] }, true],
    [{ $type: '$a' }, 'long', { a: Long.fromNumber(1) }],
    [{ $type: '$a' }, 'double', { a: new Double(1) }],
    [{ $type: '$a' }, 'int', { a: 1 }],
    [{ $concat: ['$a', '-', '$b'] }, 'x-y', { a: 'x', b: 'y' }],
    [{ $toUpper: '$a' }, 'ABC', { a: 'abc' }],
    [{ $split: ['a,b,c', ','] }, ['a', 'b', 'c']],
    [{ $substrCP: ['héllo', 1, 3] }, 'éll'],
    [{ $strLenCP: 'héllo' }, 5],
    [{ $strLenBytes: 'héllo' }, 6],
    [{ $trim: { input: '  x ' } }, 'x'],
    [{ $replaceAll: { input: 'aXbX', find: 'X', replacement: '-' } }, 'a-b-'],
    [{ $regexMatch: { input: 'Hello', regex: '^h', options: 'i' } }, true],
    [{ $regexFind: { input: 'xab12', regex: /([a-z])(\d+)/ } }, { match: 'b12', idx: 2, captures: ['b', '12'] }],
    [{ $indexOfCP: ['hello', 'l'] }, 2],
    [{ $arrayElemAt: ['$v', -1] }, 3, { v: [1, 2, 3] }],
    [{ $first: '$v' }, 1, { v: [1, 2] }],
    [{ $size: '$v' }, 2, { v: [1, 2] }],
    [{ $slice: ['$v', 1, 1] }, [2], { v: [1, 2, 3] }],
    [{ $concatArrays: ['$v', [9]] }, [1, 9], { v: [1] }],
    [{ $in: [2, '$v'] }, true, { v: [1, 2] }],
    [{ $map: { input: '$v', as: 'x', in: { $multiply: ['$$x', 2] } } }, [2, 4], { v: [1, 2] }],
    [{ $filter: { input: '$v', as: 'x', cond: { $gt: ['$$x', 1] } } }, [2, 3], { v: [1, 2, 3] }],
    [{ $reduce: { input: '$v', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6, { v: [1, 2, 3] }],
    [{ $range: [0, 10, 4] }, [0, 4, 8]],
    [{ $reverseArray: '$v' }, [2, 1], { v: [1, 2] }],
    [{ $sortArray: { input: '$v', sortBy: -1 } }, [[], 'x', 3, 2], { v: [2, 'x', 3, []] }],
    [{ $sortArray: { input: '$v', sortBy: { a: -1 } } }, [{ a: 2 }, { a: 1 }], { v: [{ a: 1 }, { a: 2 }] }],
    [
      { $zip: { inputs: ['$v', ['a', 'b']] } },
      [
        [1, 'a'],
        [2, 'b']
      ],
      { v: [1, 2] }
    ],
    [
      {
        $arrayToObject: [
          [
            ['k', 1],
            ['l', 2]
          ]
        ]
      },
      { k: 1, l: 2 }
    ],
    [{ $objectToArray: '$o' }, [{ k: 'a', v: 1 }], { o: { a: 1 } }],
    [{ $mergeObjects: ['$o', { b: 2 }] }, { a: 1, b: 2 }, { o: { a: 1 } }],
    [
      {
        $setIntersection: [
          [1, 2, 3],
          [2, 3, 4]
        ]
      },
      [2, 3]
    ],
    [{ $setIsSubset: [[1], [1, 2]] }, true],
    [{ $anyElementTrue: [[0, 1]] }, true],
    ['$list.a', [1, 2], { list: [{ a: 1 }, { b: 1 }, { a: 2 }] }],
    [{ $let: { vars: { x: 2 }, in: { $add: ['$$x', '$a'] } } }, 3, { a: 1 }],
    [{ $literal: '$a' }, '$a'],
    [{ $getField: 'a.b' }, 5, { 'a.b': 5 }],
    [{ $sum: '$v' }, 6, { v: [1, 2, 3, 'x'] }],
    [{ $avg: ['$a', '$b'] }, 1.5, { a: 1, b: 2 }],
    [{ $max: '$v' }, 3, { v: [1, 3, 2] }],
    [{ $toString: '$a' }, '5', { a: 5 }],
    [{ $toInt: '42' }, 42],
    [{ $toDouble: '1.5' }, 1.5],
    [{ $toBool: 'false' }, true],
    [{ $toDate: '2026-01-02T03:04:05Z' }, new Date('2026-01-02T03:04:05Z')],
    [{ $convert: { input: 'x', to: 'int', onError: -1 } }, -1],
    [{ $convert: { input: null, to: 'int', onNull: -2 } }, -2],
    [{ $year: '$at' }, 2026, { at: new Date('2026-03-04T05:06:07.008Z') }],
    [{ $dayOfWeek: '$at' }, 4, { at: new Date('2026-03-04T05:06:07.008Z') }],
    [{ $isoWeek: '$at' }, 10, { at: new Date('2026-03-04T05:06:07.008Z') }],
    [{ $week: '$at' }, 9, { at: new Date('2026-03-04T05:06:07.008Z') }],
    [{ $hour: { date: '$at', timezone: 'Asia/Kathmandu' } }, 10, { at: new Date('2026-03-04T05:06:07.008Z') }],
    [
      { $dateToString: { date: '$at', format: '%Y-%m-%d %H:%M', timezone: 'Asia/Kathmandu' } },
      '2026-03-04 10:51',
      { at: new Date('2026-03-04T05:06:07.008Z') }
    ],
    [{ $dateToString: { date: '$at' } }, '2026-03-04T05:06:07.008Z', { at: new Date('2026-03-04T05:06:07.008Z') }],
    [
      { $dateTrunc: { date: '$at', unit: 'hour' } },
      new Date('2026-03-04T05:00:00Z'),
      { at: new Date('2026-03-04T05:06:07.008Z') }
    ],
    [
      { $dateTrunc: { date: '$at', unit: 'month' } },
      new Date('2026-03-01T00:00:00Z'),
      { at: new Date('2026-03-04T05:06:07.008Z') }
    ],
    [
      { $dateTrunc: { date: '$at', unit: 'week' } },
      new Date('2026-03-01T00:00:00Z'),
      { at: new Date('2026-03-04T05:06:07.008Z') }
    ],
    [
      { $dateAdd: { startDate: '$at', unit: 'month', amount: 1 } },
      new Date('2026-02-28T00:00:00Z'),
      { at: new Date('2026-01-31T00:00:00Z') }
    ],
    [
      { $dateDiff: { startDate: '$at', endDate: new Date('2026-03-05T00:00:00Z'), unit: 'day' } },
      1,
      { at: new Date('2026-03-04T23:00:00Z') }
    ],
    [{ $dateFromParts: { year: 2026, month: 2, day: 3 } }, new Date('2026-02-03T00:00:00Z')]
  ]
  it.each(table.map(([expression, expected, document], i) => ({ i, expression, expected, document })))(
    '$i: $expression',
    async ({ expression, expected, document }) => {
      expect(await compute(expression, document)).toEqual(expected)
    }
  )

  it('fail as MongoDB fails', async () => {
    expect(await errorOf(compute({ $divide: [1, 0] }))).toMatchObject({ code: 2 })
    expect(await errorOf(compute({ $add: ['$a', 1] }, { a: 'x' }))).toMatchObject({ code: 14 })
    expect(await errorOf(compute({ $toInt: 'x' }))).toMatchObject({ code: 241 })
    expect(await errorOf(compute({ $size: '$a' }, { a: 1 }))).toMatchObject({ code: 17124 })
    expect(await errorOf(compute('$$undefined'))).toMatchObject({ code: 17276 })
  })
})
