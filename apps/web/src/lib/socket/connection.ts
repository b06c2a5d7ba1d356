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

/** The wait before a failed load of the library is retried. */
const openAgainMs = 5000

/** The only socket of this tab: connects for a user, rejoins rooms after each reconnection, parses incoming events. */
export function createConnection({ open, clock, token, renew }: ConnectionDeps) {
  const status = createStore<ConnectionStatus>('off')
  let socket: LiveSocket | null = null
  let user: string | null = null
  /** Identifies the latest attempt to open; earlier ones, such as before another sign-in, are ignored. */
  let opening = {}
  let cancelOpening = () => {}
  const reconnection = createReconnection({ status, clock, renew, isCurrent: (own) => own === socket })
  const { joinAll: enterRooms, forget: forgetRooms, ...rooms } = createRooms(emit, clock)
  const listeners = createServerEventListeners()

  function emit<E extends ClientEvent>(event: E, payload: unknown): Promise<EmitResult<E>> {
    return emitBy(socket, event, payload)
  }

  async function joinAll(own: LiveSocket) {
    const isAnswered = await enterRooms(user)
    if (!own.connected || isAnswered) return
    // The connection is half-open: it is replaced.
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
  /** Sends a new token after the connection's expired; the server waits half a minute for it. */
  async function bringToken() {
    const next = await token()
    if (next !== null) await emit('renew-token', next)
  }

  /** Loads the library, which is a file of its own, and connects. A failed load is retried. */
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
    /** Connects for that user; idempotent for the same user. */
    start: async (userId: string) => {
      if (user === userId) return
      stop()
      user = userId
      await openFor(userId)
    },
    stop,
    /** Retries at once when the attempts are spent: a person pressed Reconnect, or the window got the focus. */
    reconnect: () => {
      if (socket !== null) reconnection.tryAgain(socket)
      else if (user !== null && status.get() === 'lost') void openFor(user)
    },
    /** Requests new snapshots after the page slept: until they arrive nothing is live. */
    refresh: async () => {
      if (socket?.connected) await joinAll(socket)
    },
    ...rooms,
    emit,
    on: listeners.on
  }
}
export type Connection = ReturnType<typeof createConnection>
