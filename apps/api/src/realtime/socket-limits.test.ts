import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createSocketLimits } from './socket-limits.ts'

/** How many of so many unknown events pass, one each so many milliseconds, until the first that does not. */
function passed(events: number, everyMs: number): number {
  const clock = createFakeClock()
  const limits = createSocketLimits({ commandsPerSecond: 20, joinsPerMinute: 600 }, clock.monotonic)
  for (let index = 0; index < events; index += 1) {
    if (!limits.mayStray()) return index
    clock.advance(everyMs)
  }
  return events
}

test('unknown events are passed over a thousand at once, and as many a second as commands', () => {
  expect(passed(1200, 0)).toBe(1000)
  expect(passed(5000, 50)).toBe(5000)
})

test('a flood that a busy server works off slowly ends too', () => {
  // Two tokens come back in the time of 50 events: they are no pardon.
  expect(passed(1200, 2)).toBeLessThan(1100)
})

/** How many of so many at once are allowed. */
const allowed = (times: number, take: () => boolean): number =>
  Array.from({ length: times }, take).filter((isAllowed) => isAllowed).length

function limitsOf(limits: { commandsPerSecond: number; joinsPerMinute: number }) {
  const clock = createFakeClock()
  return { clock, limits: createSocketLimits(limits, clock.monotonic) }
}

test('commands come twice a second’s worth at once, then so many a second', () => {
  const { clock, limits } = limitsOf({ commandsPerSecond: 20, joinsPerMinute: 600 })
  expect(allowed(100, limits.mayCommand)).toBe(40)
  clock.advance(1000)
  expect(allowed(100, limits.mayCommand)).toBe(20)
})

test('joins come a minute’s worth at once, then so many a minute, and commands take none of them', () => {
  const { clock, limits } = limitsOf({ commandsPerSecond: 20, joinsPerMinute: 600 })
  allowed(100, limits.mayCommand)
  expect(allowed(1000, limits.mayJoin)).toBe(600)
  clock.advance(6000)
  expect(allowed(1000, limits.mayJoin)).toBe(60)
})

test('tokens are renewed ten times at once, then every ten seconds', () => {
  const { clock, limits } = limitsOf({ commandsPerSecond: 20, joinsPerMinute: 600 })
  expect(allowed(50, limits.mayRenew)).toBe(10)
  clock.advance(9999)
  expect(limits.mayRenew()).toBe(false)
  clock.advance(1)
  expect(allowed(50, limits.mayRenew)).toBe(1)
})

test('0 turns a limit off, and that of renewals with that of joins', () => {
  const { limits } = limitsOf({ commandsPerSecond: 0, joinsPerMinute: 0 })
  for (const take of [limits.mayCommand, limits.mayStray, limits.mayJoin, limits.mayRenew])
    expect(allowed(5000, take)).toBe(5000)
  const { limits: joinsOff } = limitsOf({ commandsPerSecond: 20, joinsPerMinute: 0 })
  expect([allowed(100, joinsOff.mayCommand), allowed(100, joinsOff.mayRenew)]).toEqual([40, 100])
})

/** Asks so often for so long, and answers after how long that is a flood; null: it never is. */
function floodsAfter(everyMs: number, forMs: number): number | null {
  const { clock, limits } = limitsOf({ commandsPerSecond: 20, joinsPerMinute: 600 })
  allowed(40, limits.mayCommand)
  for (let atMs = 0; atMs <= forMs; atMs += everyMs) {
    limits.mayCommand()
    if (limits.isFlooding()) return atMs
    clock.advance(everyMs)
  }
  return null
}

test('whoever is refused for five seconds on end floods', () => {
  expect(floodsAfter(10, 60_000)).toBeGreaterThanOrEqual(5000)
  expect(floodsAfter(10, 60_000)).toBeLessThan(5100)
})

test('who stays within the limit never floods', () => {
  expect(floodsAfter(50, 60_000)).toBeNull()
})

test('a second without a refusal ends a flood', () => {
  const { clock, limits } = limitsOf({ commandsPerSecond: 20, joinsPerMinute: 600 })
  const refuse = () => expect(allowed(41, limits.mayCommand)).toBeLessThan(41)
  for (let times = 0; times < 20; times += 1) {
    refuse()
    expect(limits.isFlooding()).toBe(false)
    clock.advance(1001)
  }
  for (let times = 0; times < 10; times += 1) {
    refuse()
    clock.advance(500)
  }
  refuse()
  expect(limits.isFlooding()).toBe(true)
  clock.advance(60_000)
  limits.mayCommand()
  expect(limits.isFlooding()).toBe(false)
})
