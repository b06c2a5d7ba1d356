import { getAccount } from '@batti/contracts'
import { isCancelled } from '#web/lib/api/api-error.ts'
import type { Services } from '#web/lib/services.ts'
import { sessionUser } from '#web/lib/session/session-user.ts'
import { followFeatureEvents } from './live-updates.ts'

const asleepAfterMs = 20_000

/** What listens to the browser for the whole life of the page: the session's other tabs, the connection, sleep. */
export function startSideEffects(services: Services, page: Window): () => void {
  const { api, session, connection, commander, live, logError, queryClient, clock } = services
  const undo = [live.start(), followFeatureEvents(services)]
  let userId: string | null = null

  /** The socket lives as long as somebody is signed in. Another person finds nothing of the former one. */
  function followSession() {
    const state = session.getState()
    const next = state.kind === 'in' ? state.user._id : null
    if (next === userId) return
    if (userId !== null) {
      connection.stop()
      commander.reset()
      queryClient.clear()
    }
    userId = next
    if (next !== null) void connection.start(next)
    if (state.kind === 'in' && state.user.email === '' && state.user.name === '') void learnWhoItIs()
  }
  /** A session restored from its token alone knows an id and a role: the server knows the person. */
  async function learnWhoItIs() {
    try {
      session.updateUser(sessionUser.parse(await api.call(getAccount)))
    } catch (error) {
      if (!isCancelled(error)) logError(error)
    }
  }
  followSession()
  undo.push(session.subscribe(followSession))

  const on = (target: EventTarget, event: string, listener: EventListener) => {
    target.addEventListener(event, listener)
    undo.push(() => target.removeEventListener(event, listener))
  }
  // Another tab renewed, logged in or logged out.
  on(page, 'storage', (event) => {
    if (
      event instanceof StorageEvent &&
      (event.key === 'accessToken' || event.key === 'userInfo' || event.key === null)
    )
      session.adopt()
  })
  on(page, 'online', () => connection.reconnect())
  on(page, 'focus', () => connection.reconnect())

  // A page that slept shows nothing as live until its snapshots are back. A sleeping machine stops timers, so a beat
  // that comes late tells it; a hidden tab's beats come late too, but what it shows then nobody sees.
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
