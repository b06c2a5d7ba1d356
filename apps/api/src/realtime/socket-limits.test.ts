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
