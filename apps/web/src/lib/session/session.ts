import type { Timers } from '@batti/kit/clock'
import type { KeyValueStorage } from '#web/lib/storage.ts'
import { createStore } from '#web/lib/store.ts'
import { createSessionAuthority } from './session-authority.ts'
import {
  renewalDelayMs,
  renewalVerdict,
  restoreSession,
  signedOut,
  startSession,
  type Session,
  type TokenPair
} from './session-machine.ts'
import type { SessionUser } from './session-user.ts'
import { readStoredSession, writeStoredSession } from './stored-session.ts'

/** Why the session ended. `expired` covers every end that the person did not cause in this tab. */
export type SignOutReason = 'logout' | 'expired' | 'account-changed' | 'account-deleted'

/** Calls `POST /user/refresh-token`: returns the new tokens, or the status of the refusal (0 without an answer). */
export type RenewCall = (refreshToken: string | null) => Promise<TokenPair | { status: number }>

export interface SessionDeps {
  storage: KeyValueStorage
  clock: Timers
  renewCall: RenewCall
  /** Runs one renewal at a time across all tabs of this browser. */
  withTabLock: (task: () => Promise<void>) => Promise<void>
}

/**
 * The stateful part of the session: stores it in the browser, renews it before it expires, and reports its end. All
 * rules are in `session-machine.ts`.
 */
export function createSession({ storage, clock, renewCall, withTabLock }: SessionDeps) {
  const restored = restoreSession(readStoredSession(storage))
  // An invalid access token is removed with the other stored values (the user is logged out).
  if (restored.kind === 'out' && storage.getItem('accessToken') !== null) writeStoredSession(storage, signedOut)
  const store = createStore<Session>(restored)
  const endings = new Set<(reason: SignOutReason) => void>()
  let cancelTimer = () => {}
  let lost = 0
  let renewing: Promise<void> | null = null
  let isHeld = false
  let lastEnding: SignOutReason | null = null
  const unsaved = new Set<object>()

  function keep(session: Session) {
    store.set(session)
    plan()
  }
  function plan(delayMs?: number) {
    cancelTimer()
    const session = store.get()
    if (session.kind === 'in')
      cancelTimer = clock.after(delayMs ?? renewalDelayMs(session, clock.now()), () => void renew())
  }
  function end(reason: SignOutReason) {
    if (store.get().kind === 'out') return
    writeStoredSession(storage, signedOut)
    leave(reason)
  }
  function leave(reason: SignOutReason) {
    const session = store.get()
    lastEnding = reason
    // Unsaved input stays only if the person did not ask for the end, here or at the login above the page.
    const isUnasked = reason === 'expired' || reason === 'account-changed'
    if (session.kind === 'in' && isUnasked && unsaved.size > 0) return keep({ kind: 'over', user: session.user })
    keep(signedOut)
    for (const listener of endings) listener(reason)
  }

  async function renewNow() {
    const session = store.get()
    if (session.kind !== 'in') return
    // Another tab may have renewed while this one waited for the lock.
    const stored = readStoredSession(storage)
    if (stored.accessToken !== null && stored.accessToken !== session.accessToken) return adopt()
    const answer = await renewCall(session.refreshToken)
    const lostBefore = lost
    lost = 'status' in answer && answer.status === 0 ? lost + 1 : 0
    const current = store.get()
    if (current.kind !== 'in' || current.accessToken !== session.accessToken) return
    if ('accessToken' in answer) {
      const next = startSession(answer, current.user, clock.now())
      writeStoredSession(storage, next)
      return keep(next)
    }
    // `hold` was called during this renewal; its undo plans the next one.
    if (isHeld) return
    const verdict = renewalVerdict(answer.status, lostBefore)
    if (verdict === 'over') return end('expired')
    plan(verdict.retryMs)
  }
  function renew(): Promise<void> {
    if (isHeld) return Promise.resolve()
    renewing ??= withTabLock(renewNow).finally(() => {
      renewing = null
    })
    return renewing
  }

  /** Takes over what another tab stored: its renewal, its login, or its logout. */
  function adopt() {
    const next = restoreSession(readStoredSession(storage))
    const current = store.get()
    if (next.kind !== 'in') {
      if (current.kind === 'in' && !isHeld) leave('account-changed')
      return
    }
    if (current.kind === 'in' && current.accessToken === next.accessToken && current.user._id === next.user._id) {
      return keep({ ...current, user: next.user })
    }
    keep(next)
  }

  plan()
  return {
    getState: store.get,
    subscribe: store.subscribe,
    /** Calls `listener` with the reason when a session ends. Returns the undo function. */
    onEnd: (listener: (reason: SignOutReason) => void) => {
      endings.add(listener)
      return () => void endings.delete(listener)
    },
    /** Marks unsaved input on the page: it stays there if the session ends by itself. Returns the undo function. */
    keepTyped: () => {
      const own = {}
      unsaved.add(own)
      return () => void unsaved.delete(own)
    },
    /** Returns why the last session of this page ended; null if none has. */
    lastEnding: () => lastEnding,
    /**
     * For a call that ends every session of the account: until the returned undo function runs, neither a refusal nor
     * another tab ends this session, so that the person can read what happened before the page changes.
     */
    hold: () => {
      isHeld = true
      return () => {
        isHeld = false
        adopt()
      }
    },
    signIn: (tokens: TokenPair, user: SessionUser) => {
      lastEnding = null
      const session = startSession(tokens, user, clock.now())
      writeStoredSession(storage, session)
      keep(session)
    },
    /** Stores the server's record of the signed-in person; a late one of somebody signed in before is ignored. */
    updateUser: (user: SessionUser) => {
      const session = store.get()
      if (session.kind !== 'in' || session.user._id !== user._id) return
      const next = { ...session, user }
      writeStoredSession(storage, next)
      keep(next)
    },
    end,
    renew,
    adopt,
    ...createSessionAuthority({
      getState: store.get,
      now: clock.now,
      renew,
      expire: () => end('expired'),
      isHeld: () => isHeld
    }),
    stop: () => cancelTimer()
  }
}
export type SessionControl = ReturnType<typeof createSession>
