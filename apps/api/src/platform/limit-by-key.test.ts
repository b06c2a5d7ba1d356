import { expect, test } from 'vitest'
import { createLastTimes, createLimitByKey } from './limit-by-key.ts'

test('each key has a limit of its own, and many strangers do not stay in memory', () => {
  const take = createLimitByKey({ perSecond: 1, burst: 1 }, () => 0, 2)
  expect(['a', 'a', 'b', 'a'].map(take)).toEqual([true, false, true, false])
  // A third one: of the others `b` came longest ago, and counts as new.
  expect(['c', 'a', 'b'].map(take)).toEqual([true, false, true])
})

test('something is done once in its interval for each key, and the oldest entry is forgotten first', () => {
  let now = 0
  const { isTimeFor, forget } = createLastTimes(() => now, 2)
  expect(['a', 'a', 'b'].map((key) => isTimeFor(key, 10))).toEqual([true, false, true])
  expect([isTimeFor('c', 10), isTimeFor('b', 10), isTimeFor('a', 10)]).toEqual([true, false, true])
  forget('c')
  expect(isTimeFor('c', 10)).toBe(true)
  now = 10
  expect(isTimeFor('c', 10)).toBe(true)
})
