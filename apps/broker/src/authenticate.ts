import type { AclRule, MqttAuthRequest } from '@batti/contracts'
import type { AskHook } from './auth-hook.ts'
import type { Clock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'

export type Verdict =
  | { readonly result: 'allow'; readonly rules: readonly AclRule[]; readonly expiresAt: number | null }
  | { readonly result: 'deny' }
  | { readonly result: 'unavailable'; readonly why: string }

/** Failures in a row after which the hook is left alone for a moment. */
const failuresUntilRest = 5
const restMs = 1000

/**
 * Asks the api whether a CONNECT is good. While the hook fails again and again, most are told "unavailable" without asking,
 * one question a second finds out whether it is back: a reconnect storm meets an answer at once, not a queue of time-outs.
 */
export function createAuthenticator({ ask, clock }: { ask: AskHook; clock: Clock }) {
  let failures = 0
  let restUntil = 0
  let lastFailure: unknown = null

  function failed(error: unknown): Verdict {
    // Questions that travelled together fail together: that is one failure.
    if (error !== lastFailure) failures += 1
    lastFailure = error
    if (failures >= failuresUntilRest) restUntil = clock.monotonic() + restMs
    return { result: 'unavailable', why: messageOf(error) }
  }

  return async function authenticate(request: MqttAuthRequest): Promise<Verdict> {
    if (failures >= failuresUntilRest) {
      if (clock.monotonic() < restUntil) return { result: 'unavailable', why: 'the hook is resting' }
      restUntil = clock.monotonic() + restMs
    }
    let answer
    try {
      answer = await ask(request)
    } catch (error) {
      return failed(error)
    }
    failures = 0
    const { result, acl = [], expire_at: expireAtS } = answer
    if (result === 'deny' || (expireAtS !== undefined && expireAtS * 1000 <= clock.now())) return { result: 'deny' }
    return { result: 'allow', rules: acl, expiresAt: expireAtS === undefined ? null : expireAtS * 1000 }
  }
}

export type Authenticate = ReturnType<typeof createAuthenticator>
