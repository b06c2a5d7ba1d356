import { createSemaphore, type Semaphore } from '@batti/kit/semaphore'
import { unavailable } from './app-error.ts'

/**
 * Runs at most `limit` tasks at a time, in order of arrival.
 * @throws AppError UNAVAILABLE when more than `waitingMax` tasks are waiting.
 */
export const limitConcurrency = (limit: number, waitingMax = 1000): Semaphore['run'] =>
  createSemaphore(limit, {
    waitingMax,
    refusal: () => unavailable('Too many people at once. Please try again after 5 seconds.')
  }).run
