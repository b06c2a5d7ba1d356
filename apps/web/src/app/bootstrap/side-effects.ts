import { getAccount } from '@batti/contracts'
import { isCancelled } from '#web/lib/api/api-error.ts'
import { listenToOtherTabs } from '#web/lib/api/other-tabs.ts'
import type { Services } from '#web/lib/services.ts'
import { maySeeFleet, sessionUser, type SessionUser } from '#web/lib/session/session-user.ts'
import { followFeatureEvents } from './live-updates.ts'
import { reconnectWhenAnswered } from './reconnect-when-answered.ts'

const asleepAfterMs = 20_000

const isNameless = ({ email, name }: SessionUser) => email === '' && name === ''
const rightsOf = ({ role, permissions }: SessionUser) => [role, ...permissions.toSorted()].join()
const isNotLive = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'live-device'

/** Starts the listeners that run for the whole life of the page: other tabs' sessions, the connection, sleep detection. */
export function startSideEffects(services: Services, page: Window): () => void {
  const { api, session, connection, commander, live, logError, notices, queryClient, clock, theme, language } = services
  const undo = [live.start(), followFeatureEvents(services), reconnectWhenAnswered(queryClient, connection)]
  let userId: string | null = null
  let wasOver = false

  /** The socket is open while somebody is signed in. Data of one person is cleared before the next one signs in. */
  function followSession() {
    const state = session.getState()
    const next = state.kind === 'out' ? null : state.user._id
    const isStaff = state.kind !== 'out' && maySeeFleet(state.user)
    const isBack = wasOver && state.kind === 'in'
    wasOver = state.kind === 'over'
    if (next === userId) {
      connection.followFleet(isStaff)
      if (isBack) comeBack()
      return
    }
    if (userId !== null) {
      connection.stop()
      commander.reset()
      notices.clear()
      queryClient.clear()
    }
    userId = next
    if (next !== null) void connection.start(next)
    connection.followFleet(isStaff)
    if (state.kind === 'in' && (isNameless(state.user) || state.user.role !== 'user')) void loadUser()
  }
  /** The same person has logged in again on the same page: its data is stale. */
  function comeBack() {
    connection.reconnect()
    void queryClient.invalidateQueries({ predicate: isNotLive })
  }
  /**
   * A session restored from its token alone has only an id and a role, and the rights of staff may have changed since
   * it was stored: the server is asked.
   */
  async function loadUser() {
    try {
      takeUser(sessionUser.parse(await api.call(getAccount)))
    } catch (error) {
      if (!isCancelled(error)) logError(error)
    }
  }
  /** When role or permissions change, menu and guards follow the user, and all data is read again. */
  function takeUser(user: SessionUser) {
    const state = session.getState()
    if (state.kind === 'out' || state.user._id !== user._id) return
    const isOther = rightsOf(user) !== rightsOf(state.user)
    session.updateUser(user)
    if (!isOther) return
    // Deferred until the guards have closed pages that are no longer allowed: those must not refetch.
    undo.push(
      clock.after(0, () => {
        queryClient.removeQueries({ type: 'inactive', predicate: isNotLive })
        void queryClient.invalidateQueries({ predicate: isNotLive })
      })
    )
  }
  let wasAway = false
  undo.push(
    connection.on('account-changed', (rights) => {
      const state = session.getState()
      if (state.kind === 'in') takeUser({ ...state.user, ...rights })
    }),
    // `account-changed` events during the interruption were missed.
    connection.subscribe(() => {
      const status = connection.getState()
      if (status === 'reconnecting' || status === 'lost') wasAway = true
      if (status !== 'live' || !wasAway) return
      wasAway = false
      const state = session.getState()
      if (state.kind === 'in' && state.user.role !== 'user') void loadUser()
    })
  )
  followSession()
  undo.push(session.subscribe(followSession))

  undo.push(
    listenToOtherTabs((touches) => {
      for (const queryKey of touches) void queryClient.invalidateQueries({ queryKey })
    })
  )

  const on = (target: EventTarget, event: string, listener: EventListener) => {
    target.addEventListener(event, listener)
    undo.push(() => target.removeEventListener(event, listener))
  }
  // Another tab renewed the session, logged in or logged out.
  on(page, 'storage', (event) => {
    if (!(event instanceof StorageEvent)) return
    const has = (...keys: string[]) => event.key === null || keys.includes(event.key)
    if (has('accessToken', 'userInfo')) session.adopt()
    if (has('theme')) theme.adopt()
    if (has('language')) void language.adopt().catch(logError)
  })
  on(page, 'online', () => connection.reconnect())
  on(page, 'focus', () => connection.reconnect())

  // A page that slept shows nothing as live until its snapshots are back. A sleeping machine stops timers, so a late
  // beat reveals it. The beats of a hidden tab are late too, but nobody sees that page.
  let lastBeat = clock.now()
  let cancelBeat = () => {}
  const beat = () => {
    const now = clock.now()
    if (now - lastBeat > asleepAfterMs) {
      connection.reconnect()
      void live.wake()
    }
    lastBeat = now
    cancelBeat()
    cancelBeat = clock.after(5000, beat)
  }
  beat()
  on(page.document, 'visibilitychange', () => {
    if (page.document.visibilityState === 'visible') beat()
  })
  undo.push(() => cancelBeat())
  return () => undo.forEach((run) => run())
}
