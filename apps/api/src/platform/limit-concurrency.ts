import { unavailable } from './app-error.ts'

/**
 * Runs at most `limit` of the given tasks at a time, in the order in which they came.
 * @throws AppError UNAVAILABLE when more than `waitingMax` wait already.
 */
export function limitConcurrency(limit: number, waitingMax = 1000): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (task) => {
    if (running >= limit && waiting.length >= waitingMax)
      throw unavailable('Too many people at once. Please try again after 5 seconds.')
    if (running >= limit) await new Promise<void>((proceed) => waiting.push(proceed))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      // The place passes from hand to hand: a newcomer never overtakes those who wait.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
