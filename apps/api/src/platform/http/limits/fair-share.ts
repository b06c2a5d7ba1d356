import { createSemaphore, type Semaphore } from '@batti/kit/semaphore'
import { tryAgainAfter } from '../../app-error.ts'

/** How many calls of one account may wait. */
export const waitingMax = 200

export type FairShare = <Result>(userId: string | undefined, task: () => Promise<Result>) => Promise<Result>

/**
 * Shares the server fairly among accounts: limits the concurrent calls of each and queues the rest, so that sixty
 * searches of one account do not delay everybody else. 0 turns it off.
 * @throws AppError TOO_MANY_REQUESTS when the queue of an account is full.
 */
export function createFairShare(atOnce: number): FairShare {
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
      return await share.turns.run(task)
    } finally {
      share.calls -= 1
      if (share.calls === 0) shares.delete(userId)
    }
  }
}
