import { mqttAuthAnswer, type AclRule, type MqttAuthRequest } from '@batti/contracts'
import type { Clock } from './clock.ts'
import type { HookClient } from './hook-client.ts'

export type Verdict =
  | { readonly result: 'allow'; readonly rules: readonly AclRule[]; readonly expiresAt: number | null }
  | { readonly result: 'deny' }
  | { readonly result: 'unavailable'; readonly why: string }

/** Failures in a row after which the hook is left alone for a moment. */
const failuresUntilRest = 5
const restMs = 1000

/**
 * Asks the api whether a CONNECT is good. While the hook fails again and again, most are told "unavailable" without asking,
 * one question a second finds out whether it is back: a reconnect storm meets an answer at once, not a queue of time-outs
 * (fault F35).
 */
export function createAuthenticator(deps: { hook: Pick<HookClient, 'post'>; url: URL; clock: Clock }) {
  let failures = 0
  let restUntil = 0

  function failed(why: string): Verdict {
    failures += 1
    if (failures >= failuresUntilRest) restUntil = deps.clock.monotonic() + restMs
    return { result: 'unavailable', why }
  }

  return async function authenticate(request: MqttAuthRequest): Promise<Verdict> {
    if (failures >= failuresUntilRest) {
      if (deps.clock.monotonic() < restUntil) return { result: 'unavailable', why: 'the hook is resting' }
      restUntil = deps.clock.monotonic() + restMs
    }
    let answer
    try {
      answer = await deps.hook.post(deps.url, request)
    } catch (error) {
      return failed(error instanceof Error ? error.message : 'no answer')
    }
    if (answer.status !== 200) return failed(`status ${answer.status}`)
    const parsed = mqttAuthAnswer.safeParse(parseJson(answer.body))
    if (!parsed.success) return failed('unreadable answer')
    failures = 0
    const { result, acl = [], expire_at: expireAtS } = parsed.data
    if (result === 'deny' || (expireAtS !== undefined && expireAtS * 1000 <= deps.clock.now()))
      return { result: 'deny' }
    return { result: 'allow', rules: acl, expiresAt: expireAtS === undefined ? null : expireAtS * 1000 }
  }
}

export type Authenticate = ReturnType<typeof createAuthenticator>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
