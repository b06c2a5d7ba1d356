import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createServerTime, withServerTime } from './server-time.ts'

const noon = Date.UTC(2026, 10, 26, 12)
const dateOf = (ms: number) => new Date(ms).toUTCString()
const second = 1000

/** The clock of a phone that is six hours behind its server. */
function lateClock() {
  const clock = createFakeClock(noon - 6 * 3600 * second)
  return { clock, time: createServerTime(clock) }
}

test('before the first answer of the server, this machine’s clock is used', () => {
  const { clock, time } = lateClock()
  time.heard(null)
  time.heard('soon')
  expect(time.now()).toBe(clock.now())
})

test('the date of an answer is used, whatever the wall clock shows then and later', async () => {
  const { clock, time } = lateClock()
  await withServerTime(
    async () => ({ status: 200, text: '', retryAfter: null, date: dateOf(noon) }),
    time
  )({
    method: 'get',
    url: '/',
    headers: {},
    body: null
  })
  expect(time.now()).toBe(noon)
  clock.step(-3600 * second)
  clock.advance(90 * second)
  expect(time.now()).toBe(noon + 90 * second)
})

test('a delayed answer does not set it back, a server that was set back does', () => {
  const { clock, time } = lateClock()
  time.heard(dateOf(noon))
  clock.advance(20 * second)
  time.heard(dateOf(noon + 12 * second))
  expect(time.now()).toBe(noon + 20 * second)
  time.heard(dateOf(noon + 21 * second))
  expect(time.now()).toBe(noon + 21 * second)
  time.heard(dateOf(noon - 3600 * second))
  expect(time.now()).toBe(noon - 3600 * second)
})

test('a page hears of a correction by five seconds, in either direction, and of a sleep, until it is left', () => {
  const { time } = lateClock()
  let jumps = 0
  const leave = time.onJump(() => (jumps += 1))
  time.heard(dateOf(noon))
  expect(jumps).toBe(1)
  time.heard(dateOf(noon + 4 * second))
  expect(jumps).toBe(1)
  time.heard(dateOf(noon + 9 * second))
  expect(jumps).toBe(2)
  time.heard(dateOf(noon - 3600 * second))
  expect(jumps).toBe(3)
  time.woke()
  expect(jumps).toBe(4)
  leave()
  time.woke()
  expect(jumps).toBe(4)
})
