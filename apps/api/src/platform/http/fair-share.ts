import { createSemaphore, type Semaphore } from '@batti/kit/semaphore'
import { tryAgainAfter } from '../app-error.ts'

const waitingMax = 200

export type FairShare = <Result>(userId: string | undefined, task: () => Promise<Result>) => Promise<Result>

/**
 * Shares the server among accounts: so many calls of one are worked on at a time, and the next of it wait, so that sixty
 * searches of somebody are not before everybody's next page. 0 turns it off.
 * @throws AppError TOO_MANY_REQUESTS where too many of an account wait already.
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
