import { CancelledError } from '#web/lib/api/api-error.ts'
import type { Authority } from '#web/lib/api/api-client.ts'
import { isUsable, type Session } from './session-machine.ts'

/** Answers the api client for a session: which token to send, and what a 401 means. */
export function createSessionAuthority(session: {
  getState: () => Session
  now: () => number
  renew: () => Promise<void>
  expire: () => void
  /** Whether no refusal may end the session at present. */
  isHeld: () => boolean
}): Authority {
  const { getState, now, renew } = session
  const hasToken = (token: string): boolean => {
    const state = getState()
    return state.kind === 'in' && state.accessToken === token
  }

  return {
    authorize: async () => {
      const state = getState()
      if (state.kind === 'out') return null
      if (state.kind === 'over') throw new CancelledError()
      if (isUsable(state, now())) return state.accessToken
      await renew()
      const renewed = getState()
      if (renewed.kind !== 'in') throw new CancelledError()
      return renewed.accessToken
    },
    currentToken: () => {
      const state = getState()
      return state.kind === 'in' && isUsable(state, now()) ? state.accessToken : null
    },
    /**
     * Another token is tried if there is one: another tab renewed, or this machine's clock is behind and the token expired
     * unnoticed. If renewal is impossible, or on a second 401, the session is over.
     */
    rejected: async (token, attempt) => {
      if (session.isHeld()) return false
      if (attempt === 'first' && hasToken(token)) await renew()
      if (hasToken(token)) session.expire()
      return getState().kind === 'in'
    }
  }
}
