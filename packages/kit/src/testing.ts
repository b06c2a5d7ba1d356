import type { Timers } from './clock.ts'

export interface FakeClock extends Timers {
  /** Time passes; what falls due runs, in order. */
  advance(ms: number): void
  /** Somebody sets the wall clock, forward or back. Nothing falls due by it. */
  step(ms: number): void
  /** Time passes as on a machine that is suspended: every timer is late by it. */
  suspend(ms: number): void
}

interface Timer {
  at: number
  run: () => void
}

/** A clock that moves only when told to. */
export function createFakeClock(startMs = 1_800_000_000_000): FakeClock {
  let passed = 0
  let epoch = startMs
  const timers = new Set<Timer>()
  return {
    now: () => epoch + passed,
    monotonic: () => passed,
    after(delayMs, run) {
      const timer = { at: passed + Math.max(0, delayMs), run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      const end = passed + ms
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        timers.delete(next)
        passed = Math.max(passed, next.at)
        next.run()
      }
      passed = Math.max(passed, end)
    },
    step(ms) {
      epoch += ms
    },
    suspend(ms) {
      passed += ms
      for (const timer of timers) timer.at += ms
    }
  }
}
