import type { Timers } from '@batti/kit/clock'
import { createSemaphore, type Semaphore } from '@batti/kit/semaphore'
import { tryAgainAfter, unavailable } from '../../app-error.ts'

/** How many calls of one account may wait. */
export const waitingMax = 200

/** Sooner than browsers give up a change: they are told that it was not begun, and nothing is done that nobody waits for. */
export const longestWaitMs = 25_000

export type FairShare = <Result>(userId: string | undefined, task: () => Promise<Result>) => Promise<Result>

/**
 * Shares the server fairly among accounts: limits the concurrent calls of each and queues the rest, so that sixty
 * searches of one account do not delay everybody else. 0 turns it off. `clock`: no call waits longer than `longestWaitMs`.
 * @throws AppError TOO_MANY_REQUESTS when the queue of an account is full, UNAVAILABLE when a call has waited for too long.
 */
export function createFairShare(atOnce: number, clock?: Pick<Timers, 'after'>): FairShare {
  async function enter(turns: Semaphore): Promise<() => void> {
    const tooLate = new AbortController()
    const cancel = clock?.after(longestWaitMs, () => tooLate.abort())
    try {
      return await turns.enter(tooLate.signal)
    } catch (error) {
      throw tooLate.signal.aborted ? unavailable('The server is busy. Please try again after 5 seconds.') : error
    } finally {
      cancel?.()
    }
  }

  const shares = new Map<string, { turns: Semaphore; calls: number }>()

  return async (userId, task) => {
    if (atOnce === 0 || userId === undefined) return task()
    const share = shares.get(userId) ?? {
      turns: createSemaphore(atOnce, { waitingMax, refusal: () => tryAgainAfter(1) }),
      calls: 0
    }
    shares.set(userId, share)
    share.calls += 1
    try {
      const leave = await (share.calls > atOnce ? enter(share.turns) : share.turns.enter())
      try {
        return await task()
      } finally {
        leave()
      }
    } finally {
      share.calls -= 1
      if (share.calls === 0) shares.delete(userId)
    }
  }
}
