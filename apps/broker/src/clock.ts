export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now: () => number
  /** Milliseconds that only go forward, whatever happens to the wall clock: for durations. */
  monotonic: () => number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }
