/** Time as an argument: milliseconds since the epoch, and timers that answer their own undo. */
export interface Clock {
  now: () => number
  after: (delayMs: number, run: () => void) => () => void
}

// Browsers keep a timer's delay in 32 bits; a longer one would fire at once.
const longestDelayMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const id = setTimeout(run, Math.min(Math.max(delayMs, 0), longestDelayMs))
    return () => clearTimeout(id)
  }
}
