import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createSocketLimits } from './socket-limits.ts'

/** How many of so many unknown events pass, one in each interval, until the first that does not. */
function passed(events: number, everyMs: number): number {
  const clock = createFakeClock()
  const limits = createSocketLimits({ commandsPerSecond: 20, joinsPerMinute: 600 }, clock.monotonic)('sita')
  for (let index = 0; index < events; index += 1) {
    if (!limits.mayStray()) return index
    clock.advance(everyMs)
  }
  return events
}

test('a thousand unknown events are ignored at once, and then as many a second as commands', () => {
  expect(passed(1200, 0)).toBe(1000)
  expect(passed(5000, 50)).toBe(5000)
})

test('many events that a busy server handles slowly end the connection too', () => {
  // Two tokens are refilled in the time of 50 events, which does not reset the count.
  expect(passed(1200, 2)).toBeLessThan(1100)
})

/** How many of so many at once are allowed. */
const allowed = (times: number, take: () => boolean): number =>
  Array.from({ length: times }, take).filter((isAllowed) => isAllowed).length

function setUp(limits: { commandsPerSecond: number; joinsPerMinute: number }) {
  const clock = createFakeClock()
  const limitsOf = createSocketLimits(limits, clock.monotonic)
  return { clock, limits: limitsOf('sita'), limitsOf }
}

test('commands are limited to two seconds’ worth at once, then to a rate per second', () => {
  const { clock, limits } = setUp({ commandsPerSecond: 20, joinsPerMinute: 600 })
  expect(allowed(100, limits.mayCommand)).toBe(40)
  clock.advance(1000)
  expect(allowed(100, limits.mayCommand)).toBe(20)
})

test('the screens of an account together are limited to what ten may send, and leave other accounts alone', () => {
  const { clock, limitsOf } = setUp({ commandsPerSecond: 20, joinsPerMinute: 600 })
  const screens = Array.from({ length: 200 }, () => limitsOf('hari'))
  const all = () => screens.reduce((sum, { mayCommand }) => sum + allowed(40, mayCommand), 0)
  expect(all()).toBe(400)
  clock.advance(1000)
  expect(all()).toBe(200)
  expect(allowed(100, limitsOf('sita').mayCommand)).toBe(40)
})

test('joins are limited to a minute’s worth at once, then to a rate per minute, separately from commands', () => {
  const { clock, limits } = setUp({ commandsPerSecond: 20, joinsPerMinute: 600 })
  allowed(100, limits.mayCommand)
  expect(allowed(1000, limits.mayJoin)).toBe(600)
  clock.advance(6000)
  expect(allowed(1000, limits.mayJoin)).toBe(60)
})

test('tokens can be renewed ten times at once, then every ten seconds', () => {
  const { clock, limits } = setUp({ commandsPerSecond: 20, joinsPerMinute: 600 })
  expect(allowed(50, limits.mayRenew)).toBe(10)
  clock.advance(9999)
  expect(limits.mayRenew()).toBe(false)
  clock.advance(1)
  expect(allowed(50, limits.mayRenew)).toBe(1)
})

test('0 turns a limit off, and that of renewals together with that of joins', () => {
  const { limits } = setUp({ commandsPerSecond: 0, joinsPerMinute: 0 })
  for (const take of [limits.mayCommand, limits.mayStray, limits.mayJoin, limits.mayRenew])
    expect(allowed(5000, take)).toBe(5000)
  const { limits: joinsOff } = setUp({ commandsPerSecond: 20, joinsPerMinute: 0 })
  expect([allowed(100, joinsOff.mayCommand), allowed(100, joinsOff.mayRenew)]).toEqual([40, 100])
})

/** Asks at that rate for that long, and returns after how long that is a flood; null if never. */
function floodsAfter(everyMs: number, forMs: number): number | null {
  const { clock, limits } = setUp({ commandsPerSecond: 20, joinsPerMinute: 600 })
  allowed(40, limits.mayCommand)
  for (let atMs = 0; atMs <= forMs; atMs += everyMs) {
    limits.mayCommand()
    if (limits.isFlooding()) return atMs
    clock.advance(everyMs)
  }
  return null
}

test('a client that is refused for five seconds without a break is a flood', () => {
  expect(floodsAfter(10, 60_000)).toBeGreaterThanOrEqual(5000)
  expect(floodsAfter(10, 60_000)).toBeLessThan(5100)
})

test('a client within the limit is never a flood', () => {
  expect(floodsAfter(50, 60_000)).toBeNull()
})

test('a second without a refusal ends a flood', () => {
  const { clock, limits } = setUp({ commandsPerSecond: 20, joinsPerMinute: 600 })
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

test('what is allowed between refusals more than a second apart continues no flood', () => {
  const { clock, limits } = setUp({ commandsPerSecond: 20, joinsPerMinute: 600 })
  for (let times = 0; times < 10; times += 1) {
    expect(allowed(41, limits.mayCommand)).toBeLessThan(41)
    expect(limits.isFlooding()).toBe(false)
    clock.advance(600)
    expect(limits.mayCommand()).toBe(true)
    clock.advance(600)
  }
})

test.each(['mayJoin', 'mayRenew'] as const)('a client whose %s is refused for five seconds is a flood too', (may) => {
  const { clock, limits } = setUp({ commandsPerSecond: 20, joinsPerMinute: 60 })
  allowed(60, limits[may])
  for (let times = 0; times < 50; times += 1) {
    expect(limits.isFlooding()).toBe(false)
    allowed(5, limits[may])
    clock.advance(100)
  }
  expect(allowed(5, limits[may])).toBeLessThan(5)
  expect(limits.isFlooding()).toBe(true)
})
