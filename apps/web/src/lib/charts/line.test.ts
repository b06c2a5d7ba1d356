import { expect, test } from 'vitest'
import { lineIn, linePath, steepestFall } from './line.ts'

test('the highest value is at the top and the lowest at the bottom', () => {
  expect(linePath(lineIn([10, 30, 20], { width: 100, height: 40 }))).toBe('M 0 40 L 50 0 L 100 20')
})
test('a constant value is a line in the middle', () => {
  expect(linePath(lineIn([7, 7], { width: 10, height: 40 }))).toBe('M 0 20 L 10 20')
})
test('one value, or none, makes no line', () => {
  expect(lineIn([5], { width: 10, height: 4 })).toEqual([{ x: 0, y: 2, value: 5 }])
  expect(linePath(lineIn([], { width: 10, height: 4 }))).toBe('')
})
test('the steepest fall is found, if there is one', () => {
  expect(steepestFall([10, 9, 3, 8, 7])).toEqual({ at: 2, by: 6 })
  expect(steepestFall([1, 2, 2])).toBeNull()
})
