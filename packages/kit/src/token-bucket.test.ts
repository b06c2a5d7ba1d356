import { expect, test } from 'vitest'
import { createTokenBucket, type Rate } from './token-bucket.ts'

function create(rate: Rate) {
  const clock = { now: 0 }
  const bucket = createTokenBucket(rate, () => clock.now)
  const taken = (tries: number): number => Array.from({ length: tries }, () => bucket.take()).filter(Boolean).length
  return { clock, bucket, taken }
}

test('a burst passes at once, then as many as the rate', () => {
  const { clock, taken } = create({ perSecond: 20, burst: 40 })
  expect(taken(100)).toBe(40)
  clock.now = 500
  expect(taken(100)).toBe(10)
  clock.now = 60_000
  expect(taken(100)).toBe(40)
})

test('what was spent beyond the burst must be waited for', () => {
  const { clock, bucket } = create({ perSecond: 100, burst: 200 })
  expect([bucket.available(), bucket.msUntilNext()]).toEqual([200, 0])
  bucket.spend(200)
  expect([bucket.available(), bucket.msUntilNext()]).toEqual([0, 10])
  clock.now = 10
  expect(bucket.available()).toBe(1)
  bucket.spend(51)
  expect(bucket.msUntilNext()).toBe(510)
  clock.now = 520
  expect([bucket.available(), bucket.msUntilNext()]).toEqual([1, 0])
})

test('at one a minute, what was spent before the first look counts too', () => {
  const { clock, bucket, taken } = create({ perSecond: 1 / 60, burst: 3 })
  bucket.spend(1)
  expect([taken(100), bucket.msUntilNext()]).toEqual([2, 60_000])
  clock.now = 60_000
  expect(taken(100)).toBe(1)
})

test('a burst of less than one lets one pass', () => {
  expect(create({ perSecond: 1, burst: 0 }).taken(100)).toBe(1)
})

test('a clock that was set back blocks nobody: the tokens stay, and refill from there', () => {
  const { clock, bucket, taken } = create({ perSecond: 20, burst: 40 })
  clock.now = 60_000
  expect(taken(10)).toBe(10)
  clock.now = 30_000
  expect(bucket.available()).toBe(30)
  expect(taken(100)).toBe(30)
  clock.now = 30_500
  expect(taken(100)).toBe(10)
})

test('a home that sends 20 reports a second and 100 at once never waits', () => {
  const { clock, bucket } = create({ perSecond: 100, burst: 200 })
  for (let second = 0; second < 60; second += 1) {
    for (const packets of [...(second % 10 === 0 ? [100] : []), 20, 1]) {
      expect(bucket.available()).toBeGreaterThanOrEqual(packets)
      bucket.spend(packets)
    }
    clock.now += 1000
  }
})

test('a limit of zero means no limit', () => {
  const { bucket, taken } = create({ perSecond: 0, burst: 0 })
  expect(taken(1000)).toBe(1000)
  expect([bucket.available(), bucket.msUntilNext()]).toEqual([Infinity, 0])
})
