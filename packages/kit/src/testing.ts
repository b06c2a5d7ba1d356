import type { Timers } from './clock.ts'

export interface FakeClock extends Timers {
  /** Time passes; due callbacks run in order. */
  advance(ms: number): void
  /** The wall clock is set, forward or back. No callback becomes due by it. */
  step(ms: number): void
  /** Time passes as on a suspended machine: every timer is late by it. */
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

/** The shortest pause between two questions, in ms, and the longest: asking takes time from what is waited for. */
const [shortestMs, longestMs] = [20, 250]

/**
 * Asks again and again until the answer is not null, undefined or false, the longer it takes the less often.
 * @throws Error that names `what` when there is none in time, and whatever `probe` throws.
 */
export async function until<Found>(
  what: string,
  probe: () => Promise<Found | null | undefined | false> | Found | null | undefined | false,
  withinMs = 60_000
): Promise<Found> {
  const startedAt = performance.now()
  for (;;) {
    const found = await probe()
    if (found !== null && found !== undefined && found !== false) return found
    const waitedMs = performance.now() - startedAt
    if (waitedMs > withinMs) throw new Error(`${what}: not within ${withinMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(shortestMs, waitedMs / 10), longestMs)))
  }
}
