import { describe, expect, it } from 'vitest'
import { median, percentile } from './statistics.ts'

describe('benchmark statistics', () => {
  it('compute percentiles by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100])
    expect(percentile([7], 0.99)).toBe(7)
  })
  it('compute medians of odd and even counts', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([9, 1, 5, 7])).toBe(6)
  })
  it('return nothing for no samples', () => {
    expect(percentile([], 0.5)).toBeNaN()
    expect(median([])).toBeNaN()
  })
})
