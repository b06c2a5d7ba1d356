import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { sleep, systemClock } from './clock.ts'
import { createFakeClock } from './testing.ts'

test('a wait ends with its time or its signal, and leaves no timer or listener behind', async () => {
  const clock = createFakeClock()
  const ended: string[] = []
  const [cut, uncut] = [new AbortController(), new AbortController()]
  const waits = [
    sleep(clock, 1000, uncut.signal).then(() => ended.push('time')),
    sleep(clock, 5000, cut.signal).then(() => ended.push('signal'))
  ]
  cut.abort()
  await waits[1]
  expect(ended).toEqual(['signal'])
  clock.advance(1000)
  await Promise.all([...waits, sleep(clock, 5000, cut.signal)])
  expect(ended).toEqual(['signal', 'time'])
  expect(getEventListeners(uncut.signal, 'abort')).toEqual([])
})

test('a wait whose signal has ended starts no timer', async () => {
  const cut = new AbortController()
  let asked = 0
  const after = (): (() => void) => {
    asked += 1
    return () => void (asked -= 1)
  }
  const wait = sleep({ after }, 1000, cut.signal)
  expect(asked).toBe(1)
  cut.abort()
  await wait
  expect(asked).toBe(0)
})

test('a delay longer than the maximum of timers does not fire at once', async () => {
  let hasFired = false
  const undo = systemClock.after(2 ** 40, () => (hasFired = true))
  await new Promise((resolve) => void systemClock.after(5, () => resolve(undefined)))
  undo()
  expect(hasFired).toBe(false)
})

test('durations of the fake clock are not affected by setting the wall clock', () => {
  const clock = createFakeClock(1000)
  const fired: string[] = []
  clock.after(50, () => fired.push('due'))
  clock.step(-30_000)
  expect([clock.now(), clock.monotonic(), fired]).toEqual([-29_000, 0, []])
  clock.suspend(40)
  clock.advance(49)
  expect(fired).toEqual([])
  clock.advance(1)
  expect([clock.monotonic(), fired]).toEqual([90, ['due']])
})
