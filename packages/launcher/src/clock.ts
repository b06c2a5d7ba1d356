import { setTimeout as wait } from 'node:timers/promises'

/** Time as an argument: rules ask this, never `Date`. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` ends the wait. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
}
