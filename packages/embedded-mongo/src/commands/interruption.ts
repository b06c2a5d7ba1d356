import { systemClock } from '@batti/kit/clock'
import type { Document } from '../bson/document.ts'
import { toNumber } from '../bson/numbers.ts'
import { MongoError } from '../errors.ts'

/** Interrupts a command when its client disconnects or its time limit is over. */
export interface Interruption {
  /** @throws MongoError Interrupted or MaxTimeMSExpired. */
  check(): void
  /** Resolves with the promise. Rejects with the error of `check` when the interruption comes first. */
  wait(promise: Promise<void>): Promise<void>
}

export function createInterruption(signal: AbortSignal, command: Document, name: string): Interruption {
  const limit = name === 'getMore' || command['maxTimeMS'] === undefined ? 0 : toNumber(command['maxTimeMS'])
  const deadline = limit > 0 ? performance.now() + limit : Infinity
  const check = (): void => {
    if (signal.aborted) throw new MongoError(11601, 'operation was interrupted because the client disconnected')
    if (performance.now() > deadline) throw new MongoError(50, 'operation exceeded time limit')
  }
  return {
    check,
    wait: async (promise) => {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          cancel()
          signal.removeEventListener('abort', done)
          resolve()
        }
        // Add a millisecond, because a timer may fire a little early.
        const cancel = deadline === Infinity ? () => {} : systemClock.after(deadline - performance.now() + 1, done)
        signal.addEventListener('abort', done)
        void promise.then(done)
        if (signal.aborted) done()
      })
      check()
    }
  }
}
