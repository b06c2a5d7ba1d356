import { expect, onTestFinished, test, vi } from 'vitest'
import { createSharedTimer } from './shared-timer.ts'

test('callbacks run in the order of their times, none early, and none after they were cancelled', async () => {
  const clock = createSharedTimer()
  const start = clock.monotonic()
  const calls: { name: string; at: number }[] = []
  const wake = (name: string, ms: number) => clock.after(ms, () => calls.push({ name, at: clock.monotonic() - start }))
  wake('late', 120)
  wake('early', 40)
  wake('past', -1000)
  const undo = [wake('undone', 41), wake('undone alone', 70)]
  for (const stop of undo) stop()
  await vi.waitFor(() => expect(calls).toHaveLength(3), { timeout: 60_000 })
  expect(calls.map(({ name }) => name)).toEqual(['past', 'early', 'late'])
  expect(calls[1]?.at).toBeGreaterThanOrEqual(40)
  expect(calls[2]?.at).toBeGreaterThanOrEqual(120)
})

test('one timer is armed for any number of callbacks', () => {
  const armed = vi.spyOn(globalThis, 'setTimeout')
  const clock = createSharedTimer()
  const undo = Array.from({ length: 2000 }, (_, index) => clock.after(60_000 + index * 7, () => undefined))
  expect(armed.mock.calls.length).toBe(1)
  for (const stop of undo.toReversed()) stop()
  armed.mockRestore()
})

test('a callback may schedule another one', async () => {
  const clock = createSharedTimer()
  let count = 0
  const again = (): void => {
    count += 1
    if (count < 5) clock.after(1, again)
  }
  clock.after(0, again)
  await vi.waitFor(() => expect(count).toBe(5), { timeout: 60_000 })
})

test('a board’s time continues when this machine’s clock is set back', () => {
  const clock = createSharedTimer()
  const before = clock.now()
  expect(Math.abs(before - Date.now())).toBeLessThan(60_000)
  const setBack = vi.spyOn(Date, 'now').mockReturnValue(before - 3_600_000)
  onTestFinished(() => setBack.mockRestore())
  expect(clock.now()).toBeGreaterThanOrEqual(before)
})
