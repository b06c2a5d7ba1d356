import { expect, test } from 'vitest'
import { watchForDoubt } from './clock-doubt.ts'
import { dayMs, hourMs } from './durations.ts'
import { createFakeClock } from './testing.ts'

test('a wall clock that is set far forward is doubted for an hour, or until it is set back', () => {
  const clock = createFakeClock()
  const isInDoubt = watchForDoubt(clock)
  clock.advance(dayMs)
  expect(isInDoubt()).toBe(false)
  clock.step(dayMs)
  expect(isInDoubt()).toBe(true)
  clock.advance(hourMs - 1)
  expect(isInDoubt()).toBe(true)
  clock.advance(1)
  expect(isInDoubt()).toBe(false)
  clock.step(dayMs)
  expect(isInDoubt()).toBe(true)
  clock.step(-dayMs)
  expect(isInDoubt()).toBe(false)
})
