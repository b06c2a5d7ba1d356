import { systemClock } from '@batti/kit/clock'
import type { Document } from '../bson/document.ts'
import { toNumber } from '../bson/numbers.ts'
import { MongoError } from '../errors.ts'

/** Interrupts a command when its client disconnects or its time limit is over. */
export interface Interruption {
  /** @throws MongoError Interrupted or MaxTimeMSExpired. */
  check(): void
  /** Resolves only after the promise. Rejects with the error of `check` when the interruption comes first. */
  wait(promise: Promise<void>): Promise<void>
}

export function createInterruption(signal: AbortSignal, command: Document, name: string): Interruption {
  const limit = name === 'getMore' || command['maxTimeMS'] === undefined ? 0 : toNumber(command['maxTimeMS'])
  const deadline = limit > 0 ? performance.now() + limit : Infinity
  const gone = (): MongoError => new MongoError(11601, 'operation was interrupted because the client disconnected')
  const late = (): MongoError => new MongoError(50, 'operation exceeded time limit')
  const check = (): void => {
    if (signal.aborted) throw gone()
    if (performance.now() > deadline) throw late()
  }
  return {
    check,
    wait: async (promise) => {
      await new Promise<void>((resolve, reject) => {
        const end = (settle: () => void) => (): void => {
          cancel()
          signal.removeEventListener('abort', leave)
          settle()
        }
        const leave = end(() => reject(gone()))
        // A timer may fire early, so `check` would not always throw then.
        const expire = end(() => reject(late()))
        const cancel = deadline === Infinity ? () => {} : systemClock.after(deadline - performance.now(), expire)
        signal.addEventListener('abort', leave)
        void promise.then(end(resolve))
        if (signal.aborted) leave()
      })
      check()
    }
  }
}
