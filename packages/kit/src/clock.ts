/** Time as an argument: rules ask this, never `Date`, so that a test decides what time it is. */
export interface Clock {
  /** Milliseconds since the epoch, UTC: for what is stored, shown or agreed with another machine. It may be set back. */
  now(): number
  /** Milliseconds that only go forward, whatever happens to the wall clock: for durations, deadlines and limits. */
  monotonic(): number
}

/** A clock that also calls back. */
export interface Timers extends Clock {
  /** Calls `run` once after `delayMs`; answers the undo. */
  after(delayMs: number, run: () => void): () => void
}

// Timers keep their delay in 32 bits; a longer one would fire at once.
const longestDelayMs = 2 ** 31 - 1

export const systemClock: Timers = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, run) => {
    const id = setTimeout(run, Math.min(Math.max(delayMs, 0), longestDelayMs))
    return () => clearTimeout(id)
  }
}

/** Resolves after `ms`, or at once when `signal` ends the wait. */
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
