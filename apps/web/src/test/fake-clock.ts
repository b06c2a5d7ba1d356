import type { Clock } from '#web/lib/clock.ts'

interface Timer {
  at: number
  run: () => void
}

export interface FakeClock extends Clock {
  /** Time passes; what falls due runs, in order. */
  advance: (ms: number) => void
  /** Time passes as on a machine that is asleep: every timer is late by it. */
  sleep: (ms: number) => void
}

/** A clock that moves only when told to. */
export function createFakeClock(startMs = 1_800_000_000_000): FakeClock {
  let now = startMs
  const timers = new Set<Timer>()
  return {
    now: () => now,
    after: (delayMs, run) => {
      const timer = { at: now + Math.max(0, delayMs), run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance: (ms) => {
      const end = now + ms
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        timers.delete(next)
        now = next.at
        next.run()
      }
      now = end
    },
    sleep: (ms) => {
      now += ms
      for (const timer of timers) timer.at += ms
    }
  }
}
