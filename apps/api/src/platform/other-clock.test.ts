import { createFakeClock } from '@batti/kit/testing'
import { expect, it } from 'vitest'
import { createOtherClock } from './other-clock.ts'

it('a clock that was set is told from one that goes on, however long its answer took', () => {
  const clock = createFakeClock()
  const other = createOtherClock(clock)
  let time = 1_000_000
  /** Asks for the time, and gets its answer after `answersMs`. */
  const ask = (answersMs = 0): number => {
    const asked = clock.monotonic()
    clock.advance(answersMs)
    return other.note(time, asked)
  }
  const pass = (ms: number): void => {
    clock.advance(ms)
    time += ms
  }
  expect(other.ahead()).toBeNull()
  expect(ask()).toBe(0)
  expect(other.ahead()).toBe(time - clock.monotonic())
  pass(60_000)
  expect(ask()).toBe(0)
  expect(ask(20_000)).toBe(0)
  time += 20_000
  expect(ask()).toBe(0)
  time += 300_000
  expect(ask()).toBe(300_000)
  expect(ask()).toBe(0)
  time -= 3_600_000
  expect(ask(1000)).toBe(-3_600_000)
})
