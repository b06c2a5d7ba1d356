import { describe, expect, it } from 'vitest'
import { failuresAfter, restartDelayMs } from './backoff.ts'

describe('starting a part again', () => {
  it('waits twice as long each time, up to half a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 40].map((count) => restartDelayMs(count, () => 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000
    ])
  })
  it('spreads the waits by up to a fifth', () => {
    expect(restartDelayMs(3, () => 0.999)).toBe(2400)
  })
  it('forgets earlier deaths of a part that ran for a minute since', () => {
    expect(failuresAfter(5, 59_000)).toBe(6)
    expect(failuresAfter(5, 60_000)).toBe(1)
  })
})
