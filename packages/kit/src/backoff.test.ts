import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const range = { firstMs: 500, longestMs: 30_000, jitter: 0.5 }

test('the wait doubles with each failure, up to the maximum', () => {
  expect([0, 1, 2, 3, 6, 7, 8, 1000].map((failures) => backoffMs(failures, range, () => 0))).toEqual([
    500, 500, 1000, 2000, 16_000, 30_000, 30_000, 30_000
  ])
})

test('jitter shortens it at most by its share', () => {
  expect(backoffMs(3, range, () => 0.999)).toBe(1001)
  expect(backoffMs(3, { ...range, jitter: 0 }, () => 0.999)).toBe(2000)
})
