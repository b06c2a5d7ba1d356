import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { isAfterMark } from './state-mark.ts'

const process = '0102030405'
const id = (seconds: string, count: string, by = process) =>
  Types.ObjectId.createFromHexString(`${seconds}${by}${count}`)
const mark = id('6b000000', 'fffffe')

test.each([
  ['the next', id('6b000000', 'ffffff'), true],
  ['one after the count began again', id('6b000001', '000003'), true],
  ['one under a clock that was set back', id('60000000', 'ffffff'), true],
  ['the mark itself', mark, false],
  ['one before it in the same second', id('6b000000', 'fffffd'), false],
  ['one before it, under a clock that was ahead', id('6c000000', 'fffff0'), false],
  ['one of another process', id('6b000001', 'ffffff', '0102030406'), false]
])('%s', (_, made, expected) => {
  expect(isAfterMark(made, mark)).toBe(expected)
})
