/** Time as an argument: rules ask this, never `Date`, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
