import { BSONRegExp, Decimal128, Double, Long, Timestamp } from 'bson'
import { describe, expect, it } from 'vitest'
import { compareText } from '../bson/compare.ts'
import { KEEP, operators, REMOVE } from './operators.ts'

const at = new Date('2026-11-27T06:00:00Z')
const stamp = new Timestamp({ t: 7, i: 1 })
const options = {
  text: compareText,
  expression: () => () => true,
  now: () => at,
  timestamp: () => stamp
}
const missing = undefined

/** Returns what an operator makes of a value, with the types of its numbers. */
function made(name: string, value: unknown, argument: unknown, inserting = false): unknown {
  const operator = operators[name]?.(argument, 'a.v', options)
  return operator?.(value, { path: 'a.v', id: 5, inserting })
}
const faultOf = (name: string, value: unknown, argument: unknown): unknown => {
  try {
    made(name, value, argument)
  } catch (error) {
    return error
  }
  return null
}

describe('a numeric operator', () => {
  it.each([
    ['$inc', missing, 3, 3],
    ['$inc', 1, 2, 3],
    ['$inc', 1, new Double(2), new Double(3)],
    ['$inc', 1, 0.5, 1.5],
    ['$inc', Long.fromNumber(1), 2, Long.fromNumber(3)],
    ['$inc', 2 ** 31 - 1, 1, Long.fromNumber(2 ** 31)],
    ['$mul', missing, 3, 0],
    ['$mul', missing, 2.5, new Double(0)],
    ['$mul', missing, Long.fromNumber(3), Long.ZERO],
    ['$mul', missing, Decimal128.fromString('3'), Decimal128.fromString('0')],
    ['$mul', 4, 3, 12]
  ])('%s of %j by %j', (name, value, argument, wanted) => {
    expect(made(name, value, argument)).toStrictEqual(wanted)
  })

  it.each([
    ['$inc', 1, 'x', 14, 'Cannot increment with non-numeric argument: {a.v: "x"}'],
    ['$mul', 1, null, 14, 'Cannot multiply with non-numeric argument: {a.v: null}'],
    [
      '$inc',
      'x',
      1,
      14,
      "Cannot apply $inc to a value of non-numeric type. {_id: 5} has the field 'v' of non-numeric type string"
    ],
    ['$mul', null, 1, 14, "has the field 'v' of non-numeric type null"],
    [
      '$inc',
      Long.MAX_VALUE,
      1,
      2,
      'Failed to apply $inc operations to current value (9223372036854775807) for document {_id: 5}'
    ]
  ])('refuses %s of %j by %j', (name, value, argument, code, message) => {
    expect(faultOf(name, value, argument)).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it.each([
    [1, Decimal128.fromString('1')],
    [Decimal128.fromString('1'), 1]
  ])('says that it does not take Decimal128: %j by %j', (value, argument) => {
    expect(faultOf('$inc', value, argument)).toMatchObject({ message: expect.stringContaining('$inc with Decimal128') })
  })
})

it.each([
  ['$min', missing, 3, 3],
  ['$min', 3, 2, 2],
  ['$min', 3, 3, KEEP],
  ['$min', 3, 4, KEEP],
  ['$max', missing, 3, 3],
  ['$max', 3, 4, 4],
  ['$max', 3, 3, KEEP],
  ['$max', 'x', 3, KEEP]
])('%s of %j and %j', (name, value, argument, wanted) => {
  expect(made(name, value, argument)).toBe(wanted)
})

describe('$push', () => {
  it.each([
    [missing, 1, [1]],
    [[1], [2], [1, [2]]],
    [missing, { $each: [] }, []],
    [[1, 5], { $each: [3], $position: 0 }, [3, 1, 5]],
    [[1, 5], { $each: [3], $position: 9 }, [1, 5, 3]],
    [[1, 5], { $each: [3], $position: -1 }, [1, 3, 5]],
    [[1, 5], { $each: [3], $position: -2 }, [3, 1, 5]],
    [[1, 5], { $each: [3], $position: -9 }, [3, 1, 5]],
    [[1, 2], { $each: [3], $slice: 0 }, []],
    [[1, 2], { $each: [3], $slice: 1 }, [1]],
    [[1, 2], { $each: [3], $slice: -1 }, [3]],
    [[1, 2], { $each: [3], $slice: 9 }, [1, 2, 3]],
    [[2], { $each: [3, 1], $sort: 1 }, [1, 2, 3]],
    [[2], { $each: [3, 1], $sort: -1 }, [3, 2, 1]],
    [[{ n: 2 }], { $each: [{ n: 3 }], $sort: { n: -1 } }, [{ n: 3 }, { n: 2 }]]
  ])('onto %j of %j', (value, argument, wanted) => {
    expect(made('$push', value, argument)).toEqual(wanted)
  })

  it.each([
    ['x', 1, "The field 'a.v' must be an array but is of type string in document {_id: 5}"],
    [null, { $each: [1] }, "The field 'a.v' must be an array but is of type null in document {_id: 5}"],
    [[], { $each: 1 }, 'The argument to $each in $push must be an array but it was of type: int'],
    [[], { $each: [], $what: 1 }, 'Unrecognized clause in $push: $what'],
    [[], { $each: [], $slice: 1.5 }, 'The value for $slice must be an integer value but was given type: double'],
    [[], { $each: [], $position: 'x' }, 'The value for $position must be an integer value but was given type: string'],
    [[], { $each: [], $sort: {} }, 'The $sort pattern is empty when it should be a set of fields.'],
    [[], { $each: [], $sort: 2 }, 'The $sort element value must be either 1 or -1']
  ])('onto %j refuses %j', (value, argument, message) => {
    expect(faultOf('$push', value, argument)).toMatchObject({ code: 2, message })
  })
})

describe('$addToSet', () => {
  it.each([
    [missing, 1, [1]],
    [missing, { $each: [] }, []],
    [[1], { $each: [1, 2, 2] }, [1, 2]],
    [[1], new Double(1), KEEP],
    [[1], { $each: [] }, KEEP],
    [[[1]], [1], KEEP],
    [
      [{ a: 1, b: 2 }],
      { b: 2, a: 1 },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 }
      ]
    ]
  ])('to %j of %j', (value, argument, wanted) => {
    expect(made('$addToSet', value, argument)).toEqual(wanted)
  })

  it.each([
    [null, 1, 2, "Cannot apply $addToSet to non-array field. Field named 'v' has non-array type null"],
    [[], { $each: 1 }, 14, 'The argument to $each in $addToSet must be an array but it was of type int'],
    [[], { $each: [1], $slice: 1 }, 2, 'Found unexpected fields after $each in $addToSet: { $each: [ 1 ], $slice: 1 }']
  ])('to %j refuses %j', (value, argument, code, message) => {
    expect(faultOf('$addToSet', value, argument)).toMatchObject({ code, message })
  })
})

describe('an operator that removes from an array', () => {
  it.each([
    ['$pop', [1, 2, 3], 1, [1, 2]],
    ['$pop', [1, 2, 3], new Double(-1), [2, 3]],
    ['$pop', [], 1, []],
    ['$pop', missing, 1, KEEP],
    ['$pull', missing, 1, KEEP],
    ['$pull', [1, 2], 3, KEEP],
    ['$pull', [1, 2, 1], 1, [2]],
    ['$pull', [1, 5, 9], { $gt: 2, $lt: 9 }, [1, 9]],
    ['$pull', ['one', 'two', 3], new BSONRegExp('^t'), ['one', 3]],
    ['$pull', [{ a: 1 }, { a: 2 }, 3], { $or: [{ a: 1 }] }, [{ a: 2 }, 3]],
    ['$pull', [{ a: 1 }, { a: 2 }, 3], { $nor: [{ a: 1 }] }, [{ a: 1 }, 3]],
    ['$pull', [{ a: 1, b: 1 }, { a: 2 }], { $and: [{ a: 1 }, { b: 1 }] }, [{ a: 2 }]],
    ['$pull', [{ a: 1, b: 1 }, { a: 2 }, 3], { a: 1 }, [{ a: 2 }, 3]],
    ['$pull', [{ a: 1 }, 3], {}, [3]],
    ['$pull', [[1], [2]], [1], [[2]]],
    ['$pull', [[1], [[1]]], [1], [[[1]]]],
    ['$pullAll', [1, 2, 1, 3], [1, 3], [2]],
    ['$pullAll', [1], [], KEEP],
    ['$pullAll', missing, [1], KEEP]
  ])('%s from %j of %j', (name, value, argument, wanted) => {
    expect(made(name, value, argument)).toEqual(wanted)
  })

  it.each([
    ['$pop', [1], 0, 9, '$pop expects 1 or -1, found: 0'],
    ['$pop', [1], 'x', 9, '$pop expects 1 or -1, found: "x"'],
    ['$pop', 'x', 1, 14, "Path 'a.v' contains an element of non-array type 'string'"],
    ['$pull', 'x', 1, 2, 'Cannot apply $pull to a non-array value'],
    ['$pullAll', 'x', [1], 2, 'Cannot apply $pullAll to a non-array value'],
    ['$pullAll', [1], 1, 2, '$pullAll requires an array argument but was given a int']
  ])('%s from %j refuses %j', (name, value, argument, code, message) => {
    expect(faultOf(name, value, argument)).toMatchObject({ code, message })
  })
})

describe('$bit', () => {
  it.each([
    [13, { and: 10 }, 8],
    [5, { or: 2 }, 7],
    [5, { xor: 1 }, 4],
    [5, { or: 2, and: 6 }, 6],
    [missing, { or: 3 }, 3],
    [-1, { and: 255 }, 255],
    [5, { or: Long.fromNumber(2) }, Long.fromNumber(7)],
    [Long.fromNumber(2 ** 40), { or: 1 }, Long.fromNumber(2 ** 40 + 1)]
  ])('of %j by %j', (value, argument, wanted) => {
    expect(made('$bit', value, argument)).toEqual(wanted)
  })

  it.each([
    [1, 5, 'The $bit modifier is not compatible with a int. You must pass in an embedded document'],
    [1, { not: 5 }, "only supports 'and', 'or', and 'xor', not 'not' which is an unknown operator: {not: 5}"],
    [1, {}, 'You must pass in at least one bitwise operation'],
    [1, { and: 1.5 }, "must be an Integer(32/64 bit); a 'double' is not supported here: {and: 1.5}"],
    [
      1.5,
      { and: 1 },
      'Cannot apply $bit to a value of non-integral type.{_id: 5} has the field a.v of non-integer type'
    ],
    [null, { and: 1 }, 'of non-integer type null']
  ])('of %j refuses %j', (value, argument, message) => {
    expect(faultOf('$bit', value, argument)).toMatchObject({ code: 2, message: expect.stringContaining(message) })
  })
})

it.each([
  [true, at],
  [false, at],
  [{ $type: 'date' }, at],
  [{ $type: 'timestamp' }, stamp]
])('$currentDate of %j', (argument, wanted) => {
  expect(made('$currentDate', 'x', argument)).toBe(wanted)
})

it.each([
  [{ $type: 'year' }, 'object is not valid type for $currentDate'],
  ['date', 'string is not valid type for $currentDate'],
  [{ $type: 'date', zone: 'UTC' }, 'Unrecognized $currentDate option: zone']
])('$currentDate refuses %j', (argument, message) => {
  expect(faultOf('$currentDate', missing, argument)).toMatchObject({
    code: 2,
    message: expect.stringContaining(message)
  })
})

it('a field is set, set only on insert, or removed', () => {
  expect(made('$set', 1, 2)).toBe(2)
  expect(made('$setOnInsert', 1, 2)).toBe(KEEP)
  expect(made('$setOnInsert', missing, 2, true)).toBe(2)
  expect(made('$unset', 1, '')).toBe(REMOVE)
})
