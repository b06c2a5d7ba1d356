import {
  clientEventAcks,
  serverEvents,
  type ClientEvent,
  type DeviceSnapshot,
  type ServerEvent,
  type ServerToClientEvents
} from '@batti/contracts'
import type { Socket } from 'socket.io-client'
import type { z } from 'zod'
import type { Timers } from '@batti/kit/clock'
import { createStore } from '#web/lib/store.ts'
import type { LiveSocket, OpenSocket } from './live-socket.ts'

/**
 * `off`: nobody is signed in. `lost`: the attempts are spent; a person (or the window's focus) may try again at once,
 * and the page tries by itself every now and then, for ever: a tablet on a wall has nobody who presses a button.
 * `connecting` is the first attempt only; after it a page without connection is `reconnecting`.
 */
export type ConnectionStatus = 'off' | 'connecting' | 'live' | 'reconnecting' | 'lost'

type Ack<E extends ClientEvent> = z.infer<(typeof clientEventAcks)[E]>
type Payload<E extends ServerEvent> = Parameters<ServerToClientEvents[E]>[0]
/** `NOT_CONNECTED`: never sent, because there is no connection. A command must not be queued and arrive late. */
export type EmitResult<E extends ClientEvent> =
  | Ack<E>
  | { ok: false; code: 'NOT_CONNECTED' | 'NO_ACK'; message: string }

export interface ConnectionDeps {
  open: OpenSocket
  clock: Timers
  token: () => Promise<string | null>
  /** The server refused the handshake for the token's sake: renew it. Answers whether to try again. */
  renew: () => Promise<boolean>
}

const ackTimeoutMs = 3000
/** How long a lost connection rests before the next round of attempts. */
const restMs = 30_000
const serverEventNames = Object.keys(serverEvents).filter((name): name is ServerEvent =>
  Object.hasOwn(serverEvents, name)
)

/** The one socket of this tab: connects for a user, joins rooms again after each reconnection, parses what arrives. */
export function createConnection({ open, clock, token, renew }: ConnectionDeps) {
  const status = createStore<ConnectionStatus>('off')
  const macs = new Set<string>()
  const listeners = new Map<ServerEvent, Set<(payload: never) => void>>()
  const snapshotListeners = new Set<(snapshot: DeviceSnapshot) => void>()
  let socket: LiveSocket | null = null
  let user: string | null = null
  let isStaff = false
  let cancelRetry = () => {}

  function deliver(event: ServerEvent, raw: unknown) {
    const parsed = serverEvents[event].safeParse(raw)
    // A shape of a newer server; the next snapshot brings the truth.
    if (!parsed.success) return
    // A set holds listeners of its own event alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the event's own schema
    for (const listener of listeners.get(event) ?? []) listener(parsed.data as never)
  }

  async function emit<E extends ClientEvent>(event: E, payload: unknown): Promise<EmitResult<E>> {
    const current = socket
    if (current === null || !current.connected) return { ok: false, code: 'NOT_CONNECTED', message: '' }
    try {
      // socket.io's overloads cannot follow a generic event name.
      const untyped: Socket = current
      const raw: unknown = await untyped.timeout(ackTimeoutMs).emitWithAck(event, payload)
      const parsed = clientEventAcks[event].safeParse(raw)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the event's own schema
      return parsed.success ? (parsed.data as Ack<E>) : { ok: false, code: 'NO_ACK', message: '' }
    } catch {
      return { ok: false, code: 'NO_ACK', message: '' }
    }
  }

  async function joinNow(mac: string): Promise<'joined' | 'refused' | 'unanswered'> {
    const answer = await emit('join-user-device-room', mac)
    if (answer.ok) {
      for (const listener of snapshotListeners) listener(answer.device)
      return 'joined'
    }
    if (answer.code === 'NOT_FOUND') macs.delete(mac)
    return answer.code === 'NO_ACK' ? 'unanswered' : 'refused'
  }

  /** Rooms and snapshots anew. When nothing answers, the socket only looks alive: it is opened again. */
  async function joinAll(own: LiveSocket) {
    if (user !== null) void emit('join-user-room', user)
    if (isStaff) void emit('join-staff-room', null)
    const results = await Promise.all([...macs].map(joinNow))
    if (own === socket && own.connected && results.includes('unanswered')) restart(own)
  }
  function restart(own: LiveSocket) {
    status.set('reconnecting')
    own.disconnect().connect()
  }

  function wire(own: LiveSocket) {
    own.on('connect', () => {
      status.set('live')
      void joinAll(own)
    })
    own.on('disconnect', (reason) => {
      if (own !== socket || reason === 'io client disconnect') return
      status.set('reconnecting')
      // The server ended it (a session that was revoked, a block): the library does not come back by itself.
      if (reason === 'io server disconnect') void comeBack(own)
    })
    own.on('connect_error', (error: Error & { data?: { code?: unknown } }) => {
      if (own !== socket) return
      if (status.get() !== 'connecting') status.set('reconnecting')
      if (error.data?.code === 'UNAUTHENTICATED') void comeBack(own)
      else if (!own.active) rest(own)
    })
    own.io.on('reconnect_failed', () => {
      if (own === socket) rest(own)
    })
    own.on('token-expired', () => void bringToken())
    for (const event of serverEventNames) own.on(event, (payload: unknown) => deliver(event, payload))
  }
  function rest(own: LiveSocket) {
    status.set('lost')
    cancelRetry()
    cancelRetry = clock.after(restMs, () => {
      if (own === socket) tryAgain(own)
    })
  }
  function tryAgain(own: LiveSocket) {
    if (status.get() !== 'lost') return
    cancelRetry()
    status.set('reconnecting')
    own.connect()
  }
  /** The connection's token has run out: the server waits half a minute for the new one. */
  async function bringToken() {
    const next = await token()
    if (next !== null) await emit('renew-token', next)
  }
  async function comeBack(own: LiveSocket) {
    const mayTry = await renew()
    if (own !== socket) return
    if (!mayTry) return rest(own)
    // A second between attempts, as everywhere else: a server that refuses must not be hammered.
    cancelRetry()
    cancelRetry = clock.after(1000, () => own === socket && own.connect())
  }

  return {
    getState: status.get,
    subscribe: status.subscribe,
    /** Connects for that user; the same user again changes nothing. */
    start: async (userId: string) => {
      if (user === userId) return
      stop()
      user = userId
      status.set('connecting')
      const opened = await open(token)
      if (user !== userId) return
      socket = opened
      wire(opened)
      opened.connect()
    },
    stop,
    /** A person pressed Reconnect, or the window came back: tries at once when the attempts are spent. */
    reconnect: () => {
      if (socket !== null) tryAgain(socket)
    },
    /** The page was asleep: nothing it shows is live until the snapshots are here again. */
    refresh: async () => {
      if (socket?.connected) await joinAll(socket)
    },
    /** Follows a board from now on: once per MAC, again after each reconnection. */
    join: (mac: string) => {
      if (macs.has(mac)) return
      macs.add(mac)
      if (socket?.connected) void joinNow(mac)
    },
    /** Whether this person hears of all boards, rollouts and counts. The server leaves the room by itself when it ends. */
    followFleet: (mayFollow: boolean) => {
      if (mayFollow === isStaff) return
      isStaff = mayFollow
      if (isStaff && socket?.connected) void emit('join-staff-room', null)
    },
    /** The board is gone: nothing of it is asked for again. */
    leave: (mac: string) => void macs.delete(mac),
    emit,
    onSnapshot: (listener: (snapshot: DeviceSnapshot) => void) => {
      snapshotListeners.add(listener)
      return () => void snapshotListeners.delete(listener)
    },
    on: <E extends ServerEvent>(event: E, listener: (payload: Payload<E>) => void): (() => void) => {
      const own = listeners.get(event) ?? new Set()
      listeners.set(event, own)
      own.add(listener)
      return () => void own.delete(listener)
    }
  }

  function stop() {
    cancelRetry()
    user = null
    isStaff = false
    macs.clear()
    const current = socket
    socket = null
    current?.disconnect()
    status.set('off')
  }
}
export type Connection = ReturnType<typeof createConnection>
