import { describe, expect, it } from 'vitest'
import { createTokenBucket } from './token-bucket.ts'

describe('a limit', () => {
  it('lets a burst through, then as many as the rate', () => {
    const bucket = createTokenBucket(20, 40)
    const taken = (now: number, tries: number): number =>
      Array.from({ length: tries }, () => bucket.take(now)).filter(Boolean).length
    expect(taken(0, 100)).toBe(40)
    expect(taken(500, 100)).toBe(10)
    expect(taken(60_000, 100)).toBe(40)
  })
  it('of zero is none', () => {
    const bucket = createTokenBucket(0, 0)
    expect(Array.from({ length: 1000 }, () => bucket.take(0)).every(Boolean)).toBe(true)
  })
})
