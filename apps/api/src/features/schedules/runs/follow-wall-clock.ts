import { aheadOf } from '@batti/kit/clock'
import { dayMs, hourMs } from '@batti/kit/durations'
import type { FiringOptions } from './fire-occurrences.ts'

export interface WallClockOptions extends Pick<FiringOptions, 'clock' | 'results' | 'log'> {
  /** Replans schedules that were planned while the wall clock was ahead; `setForwardAt`: since when, if that is known. */
  replanSkipped(setForwardAt: Date | null): Promise<void>
  /** Forgets everything that a clock that was ahead has missed. */
  forgetMissedAhead(): Promise<unknown>
}

/** A wall clock set back by less than this delays no plan for long. */
const setBackMs = 10_000
/** A machine without a clock of its own has got the time by then. */
const doubtMs = hourMs

/** The returned function plans schedules again when the wall clock was set back. If it fails, the next call does so. */
export function createWallClockFollower(options: WallClockOptions): () => Promise<void> {
  const { clock, results, log } = options
  let aheadMs = aheadOf(clock)
  /** When the wall clock was set forward, and how far it was ahead of the monotonic one before. */
  let setForward: { at: Date; fromMs: number } | null = null
  /** Until then, in monotonic milliseconds, the clock may have been set, or started, wrongly. */
  let doubtedUntil = clock.monotonic() + doubtMs

  return async () => {
    const nowAheadMs = aheadOf(clock)
    if (nowAheadMs - aheadMs > setBackMs) {
      setForward ??= { at: new Date(clock.now()), fromMs: aheadMs }
      doubtedUntil = clock.monotonic() + doubtMs
    } else if (aheadMs - nowAheadMs > setBackMs) {
      await results.drain()
      // Set back to about where it was: it was the setting forward that was wrong.
      const undone = setForward !== null && nowAheadMs > setForward.fromMs - dayMs ? setForward.at : null
      await options.replanSkipped(undone)
      setForward = null
      doubtedUntil = clock.monotonic() + doubtMs
      log.warn({ setBackMs: Math.round(aheadMs - nowAheadMs) }, 'the clock was set back: schedules are planned again')
    }
    aheadMs = nowAheadMs
    if (clock.monotonic() < doubtedUntil) return
    await options.forgetMissedAhead()
    setForward = null
    doubtedUntil = Infinity
  }
}
