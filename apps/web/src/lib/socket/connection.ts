import type { ClientEvent } from '@batti/contracts'
import { createStore } from '#web/lib/store.ts'
import type { ConnectionStatus } from './connection-status.ts'
import { emitBy, type EmitResult } from './emit.ts'
import type { LiveSocket, OpenSocket } from './live-socket.ts'
import { createReconnection, type ReconnectionDeps } from './reconnection.ts'
import { createRooms } from './rooms.ts'
import { createServerEventListeners } from './server-event-listeners.ts'

export interface ConnectionDeps extends Pick<ReconnectionDeps, 'clock' | 'renew'> {
  open: OpenSocket
  token: () => Promise<string | null>
}

/** How long a library that did not come is not asked for again. */
const openAgainMs = 5000

/** The one socket of this tab: connects for a user, joins rooms again after each reconnection, parses what arrives. */
export function createConnection({ open, clock, token, renew }: ConnectionDeps) {
  const status = createStore<ConnectionStatus>('off')
  let socket: LiveSocket | null = null
  let user: string | null = null
  /** Of several that were begun, as by another sign-in, the last one counts. */
  let opening = {}
  let cancelOpening = () => {}
  const reconnection = createReconnection({ status, clock, renew, isCurrent: (own) => own === socket })
  const { joinAll: enterRooms, forget: forgetRooms, ...rooms } = createRooms(emit)
  const listeners = createServerEventListeners()

  function emit<E extends ClientEvent>(event: E, payload: unknown): Promise<EmitResult<E>> {
    return emitBy(socket, event, payload)
  }

  async function joinAll(own: LiveSocket) {
    const isAnswered = await enterRooms(user)
    if (own !== socket || !own.connected || isAnswered) return
    // The socket only looks alive: it is opened anew.
    status.set('reconnecting')
    own.disconnect().connect()
  }

  function wire(own: LiveSocket) {
    own.on('connect', () => {
      status.set('live')
      void joinAll(own)
    })
    reconnection.watch(own)
    own.on('token-expired', () => void bringToken())
    listeners.hear(own)
  }
  /** The connection's token has run out: the server waits half a minute for the new one. */
  async function bringToken() {
    const next = await token()
    if (next !== null) await emit('renew-token', next)
  }

  /** The library comes in a file of its own: one that is lost on the way is asked for again. */
  async function openFor(userId: string) {
    cancelOpening()
    status.set('connecting')
    const own = (opening = {})
    const opened = await open(token).catch(() => null)
    if (user !== userId || own !== opening) return
    if (opened === null) {
      status.set('lost')
      cancelOpening = clock.after(openAgainMs, () => void openFor(userId))
      return
    }
    socket = opened
    wire(opened)
    opened.connect()
  }

  function stop() {
    cancelOpening()
    reconnection.cancel()
    user = null
    forgetRooms()
    const current = socket
    socket = null
    current?.disconnect()
    status.set('off')
  }

  return {
    getState: status.get,
    subscribe: status.subscribe,
    /** Connects for that user; the same user again changes nothing. */
    start: async (userId: string) => {
      if (user === userId) return
      stop()
      user = userId
      await openFor(userId)
    },
    stop,
    /** A person pressed Reconnect, or the window came back: tries at once when the attempts are spent. */
    reconnect: () => {
      if (socket !== null) reconnection.tryAgain(socket)
      else if (user !== null && status.get() === 'lost') void openFor(user)
    },
    /** The page was asleep: nothing it shows is live until the snapshots are here again. */
    refresh: async () => {
      if (socket?.connected) await joinAll(socket)
    },
    ...rooms,
    emit,
    on: listeners.on
  }
}
export type Connection = ReturnType<typeof createConnection>
