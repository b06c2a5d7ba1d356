import { describe, expect, it } from 'vitest'
import { median, percentile } from './statistics.ts'

describe('numbers of a benchmark', () => {
  it('has percentiles by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100])
    expect(percentile([7], 0.99)).toBe(7)
  })
  it('has medians of odd and even counts', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([9, 1, 5, 7])).toBe(6)
  })
  it('knows nothing of no samples', () => {
    expect(percentile([], 0.5)).toBeNaN()
    expect(median([])).toBeNaN()
  })
})
