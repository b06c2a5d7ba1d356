import { idempotencyHeader, repeatHeader } from '@batti/contracts'
import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { createRecent } from '@batti/kit/recent'
import { AppError } from '../app-error.ts'
import { toAppError } from './error-handler.ts'
import { waitingMax } from './limits/fair-share.ts'

/** More calls than an account may have in progress at once, those that wait for their turn included. */
const keptOfEach = waitingMax + 50
const accountsMost = 400

type NamedRequest = Pick<Request, 'method' | 'originalUrl' | 'headers' | 'actor'>

/** Returns the caller and key of a call that may be repeated; null for one that has no name of its own, or no caller. */
function nameOf(req: NamedRequest): { userId: string; key: string } | null {
  const name = req.headers[idempotencyHeader]
  if (req.method !== 'POST' || typeof name !== 'string' || name === '' || !req.actor) return null
  const key = createHash('sha256')
    .update(JSON.stringify([req.originalUrl, name]))
    .digest('base64')
  return { userId: req.actor.userId, key }
}

const createOutcomes = () => createRecent<Promise<unknown>>(keptOfEach)

/** Refuses a repeated POST: the first may have been executed by another instance, or by this one before it was restarted. */
export function refuseUnknownRepeat({ method, headers }: Pick<Request, 'method' | 'headers'>): void {
  if (method === 'POST' && headers[repeatHeader] !== undefined)
    throw new AppError('UNAVAILABLE', 'It is not known here whether this was done before.')
}

/**
 * Remembers the outcomes of the last named calls of each account in this process. A browser sends a request again by itself
 * if its connection breaks before the answer: the repeated one gets the outcome of the first, and does nothing.
 */
export function createRepeats() {
  const accounts = createRecent<ReturnType<typeof createOutcomes>>(accountsMost)
  return {
    /** Returns the outcome of the same call if it was begun before. */
    earlier(req: NamedRequest): Promise<unknown> | undefined {
      const named = nameOf(req)
      return named === null ? undefined : accounts.get(named.userId)?.get(named.key)
    },
    /** Keeps the outcome, unless it is a refusal that says when to try again. */
    async keep<Outcome>(req: NamedRequest, outcome: Promise<Outcome>): Promise<Outcome> {
      const named = nameOf(req)
      if (named === null) return outcome
      const { userId, key } = named
      const outcomes = accounts.get(userId) ?? createOutcomes()
      accounts.keep(userId, outcomes)
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
