/**
 * Long work is written as generators that yield PAUSE between pages once their slice of time is
 * used up. Whoever drives the generator gives the event loop a turn then, so that one slow query does
 * not hold up the other clients; short queries run to their end without one asynchronous step.
 */
export const PAUSE = Symbol('let others run')
export type Pause = typeof PAUSE
export type Stream<T> = Generator<T | Pause, void, undefined>

/** How long one command may keep the event loop. */
const SLICE_MS = 5

export interface Slice {
  isOver(): boolean
  renew(): void
}

export function createSlice(now: () => number): Slice {
  let end = now() + SLICE_MS
  return {
    isOver: () => now() > end,
    renew: () => {
      end = now() + SLICE_MS
    }
  }
}
