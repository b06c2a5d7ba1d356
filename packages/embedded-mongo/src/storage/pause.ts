/**
 * Long operations are generators that yield PAUSE between pages when their time slice is used up. The caller then lets the
 * event loop run, so that a slow query does not block other clients. Short queries complete without any asynchronous step.
 */
export const PAUSE = Symbol('let others run')
export type Pause = typeof PAUSE
export type Stream<T> = Generator<T | Pause, void, undefined>

/** How long one command may occupy the event loop. */
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
