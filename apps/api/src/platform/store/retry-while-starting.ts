import { minuteMs } from '@batti/kit/durations'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDuplicateKey } from './database.ts'

const deadlineMs = minuteMs
const pauseMs = 250

/**
 * Runs a repeatable step of a start, with retries. Another instance that starts at the same time creates the same indexes
 * and first records, and a database that serves several of them may answer slowly.
 */
export async function retryWhileStarting(step: () => unknown, log: Logger): Promise<void> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    try {
      await step()
      return
    } catch (error) {
      if (!passes(error) || performance.now() > deadline) throw error
      log.warn({ err: error }, 'a step of the start is tried again')
      await wait(pauseMs)
    }
  }
}

/** Whether the error is transient: a timeout, an unreachable server, or a conflict with another instance. */
function passes(error: unknown): boolean {
  if (isDuplicateKey(error)) return true
  if (!(error instanceof Error)) return false
  return /Timeout|Network|ServerSelection|WriteConflict/.test(error.name) || /UNIQUE constraint/.test(error.message)
}
