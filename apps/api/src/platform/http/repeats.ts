import { idempotencyHeader } from '@batti/contracts'
import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { createRecent } from '../recent.ts'
import { toAppError } from './error-handler.ts'

const keptMost = 1000

/** Returns the key of a call that may be repeated; null for one that has no name of its own, or no caller. */
function keyOf(req: Request): string | null {
  const name = req.headers[idempotencyHeader]
  if (req.method !== 'POST' || typeof name !== 'string' || name === '' || !req.actor) return null
  return createHash('sha256')
    .update(JSON.stringify([req.actor.userId, req.originalUrl, name]))
    .digest('base64')
}

/**
 * Remembers the outcomes of the last named calls of this process. A browser sends a request again by itself if its
 * connection breaks before the answer: the repeated one gets the outcome of the first, and does nothing.
 */
export function createRepeats() {
  const outcomes = createRecent<Promise<unknown>>(keptMost)
  return {
    /** Returns the outcome of the same call if it was begun before. */
    earlier(req: Request): Promise<unknown> | undefined {
      const key = keyOf(req)
      return key === null ? undefined : outcomes.get(key)
    },
    /** Keeps the outcome, unless it is a refusal that says when to try again. */
    async keep<Outcome>(req: Request, outcome: Promise<Outcome>): Promise<Outcome> {
      const key = keyOf(req)
      if (key === null) return outcome
      outcomes.keep(key, outcome)
      try {
        return await outcome
      } catch (error) {
        if (toAppError(error).retryAfterS !== undefined) outcomes.forget(key)
        throw error
      }
    }
  }
}
