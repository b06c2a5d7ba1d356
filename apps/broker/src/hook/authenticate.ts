import type { AclRule, MqttAuthRequest } from '@batti/contracts'
import type { AskHook } from './auth-hook.ts'
import type { Clock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import type { Logger } from 'pino'

export type Verdict =
  | { readonly result: 'allow'; readonly rules: readonly AclRule[]; readonly expiresAt: number | null }
  | { readonly result: 'deny' }
  | { readonly result: 'unavailable' }

interface AuthenticatorDeps {
  readonly ask: AskHook
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn' | 'info'>
}

/** Consecutive failures that open the circuit breaker. */
const failuresUntilRest = 5
const restMs = 1000

/**
 * Asks the api whether a CONNECT is authorized, behind a circuit breaker. After repeated failures of the hook it answers
 * "unavailable" without a request, and probes the hook once a second. In a reconnect storm boards thus get an answer at
 * once instead of a time-out.
 */
export function createAuthenticator({ ask, clock, log }: AuthenticatorDeps) {
  let failures = 0
  let restUntil = 0
  let lastFailure: unknown = null

  function failed(error: unknown): Verdict {
    // The requests of one batch fail with the same error, which counts as one failure.
    if (error === lastFailure) return { result: 'unavailable' }
    lastFailure = error
    failures += 1
    restUntil = clock.monotonic() + restMs
    if (failures === failuresUntilRest)
      log.warn(
        { reason: messageOf(error) },
        'the api does not say who may connect: boards are turned away until it does'
      )
    return { result: 'unavailable' }
  }

  return async function authenticate(request: MqttAuthRequest): Promise<Verdict> {
    if (failures >= failuresUntilRest) {
      if (clock.monotonic() < restUntil) return { result: 'unavailable' }
      restUntil = clock.monotonic() + restMs
    }
    let answer
    try {
      answer = await ask(request)
    } catch (error) {
      return failed(error)
    }
    if (failures >= failuresUntilRest) log.info('the api says again who may connect')
    failures = 0
    const { result, acl = [], expire_at: expireAtS } = answer
    if (result === 'deny' || (expireAtS !== undefined && expireAtS * 1000 <= clock.now())) return { result: 'deny' }
    return { result: 'allow', rules: acl, expiresAt: expireAtS === undefined ? null : expireAtS * 1000 }
  }
}

export type Authenticate = ReturnType<typeof createAuthenticator>
