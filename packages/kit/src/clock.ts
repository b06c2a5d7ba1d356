/** An injected clock: rules use it instead of `Date`, so that tests control the time. */
export interface Clock {
  /** Milliseconds since the epoch, UTC: for times that are stored, shown or sent to another machine. It may be set back. */
  now(): number
  /** Milliseconds that never go back, even when the wall clock does: for durations, deadlines and limits. */
  monotonic(): number
}

/** How far the wall clock is ahead of the monotonic one: constant unless it is set. */
export const aheadOf = (clock: Clock): number => clock.now() - clock.monotonic()

/** A clock with timers. */
export interface Timers extends Clock {
  /** Calls `run` once after `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}

/** Timers have 32-bit delays; a longer one would fire at once. */
export const longestDelayMs = 2 ** 31 - 1

export const systemClock: Timers = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, run) => {
    const id = setTimeout(run, Math.min(Math.max(delayMs, 0), longestDelayMs))
    return () => clearTimeout(id)
  }
}

/** Resolves after `ms`, or as soon as `signal` is aborted. */
export function sleep(clock: Pick<Timers, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    signal?.addEventListener('abort', end)
  })
}
