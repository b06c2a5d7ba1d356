import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDuplicateKey } from './database.ts'

const deadlineMs = 60_000
const pauseMs = 250

/**
 * Runs a step of a start that may be run again. Another instance that starts at the same moment makes the same indexes and
 * the same first records, and a database that does that for several answers later than a person would wait.
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

/** Too late, away, or made by another at the same moment. */
function passes(error: unknown): boolean {
  if (isDuplicateKey(error)) return true
  if (!(error instanceof Error)) return false
  return /Timeout|Network|ServerSelection|WriteConflict/.test(error.name) || /UNIQUE constraint/.test(error.message)
}
