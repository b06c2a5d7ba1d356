import type { SocketServerOptions } from './socket-options.ts'
import { clientEvents, socketMessageMaxBytes } from '@batti/contracts'
import type { Timers } from '@batti/kit/clock'
import { addressGroup } from '@batti/kit/address'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Server } from 'socket.io'
import { addressBlocked, tryAgainAfter } from '../platform/app-error.ts'
import { toAppError } from '../platform/http/error-handler.ts'
import type { BattiServer, BattiSocket, TokenWatch } from '../platform/sockets.ts'
import { deviceRoom, sessionRoom, staffRoom, userRoom } from './device-events.ts'
import { endRoom } from './end-room.ts'
import { boundJoins } from './connection-joins.ts'
import { FramesInTurn } from './frames-in-turn.ts'
import { dropFrozenReaders, type ReaderConnection } from './frozen-readers.ts'
import { corkFrames } from './cork.ts'
import { enforceEntitlement } from './socket-entitlement.ts'
import { refusalOf, refuseConnection } from './socket-admission.ts'
import { createPendingConnections } from './pending-connections.ts'
import { createSocketLimits } from './socket-limits.ts'
import { textParser } from './text-parser.ts'
import { createTokenWatch } from './token-watch.ts'

type EngineConnection = EventEmitter & { request: IncomingMessage; close(discard: boolean): void }

/** Creates socket.io on the product's own address: websocket only, rooms derived from the token, strangers refused early. */
export function createSocketServer(options: SocketServerOptions): BattiServer {
  const { events, log, metrics } = options
  const pending = createPendingConnections()
  const limitsOf = createSocketLimits(options.limits, options.monotonic)
  const io: BattiServer = new Server(options.http, {
    transports: ['websocket'],
    serveClient: false,
    wsEngine: FramesInTurn,
    parser: textParser,
    maxHttpBufferSize: socketMessageMaxBytes,
    perMessageDeflate: false,
    pingInterval: 20_000,
    pingTimeout: 10_000,
    // Enough time for a slow phone to renew its token. A connection that never authenticates is closed then.
    connectTimeout: 15_000,
    // Recovery would skip the checks of the handshake.
    allowRequest: (request, decide) => {
      const refusal = refusalOf(request, options, pending)
      if (refusal !== null) refuseConnection(request, options)
      decide(refusal, refusal === null)
    }
  })
  const admitted = new WeakMap<object, () => void>()
  io.engine.on('connection', (connection: EngineConnection) => {
    boundJoins(connection, options.monotonic)
    const leave = pending.enter(options.clientAddress(connection.request))
    admitted.set(connection, leave)
    connection.once('close', leave)
  })
  options.http.once(
    'close',
    dropFrozenReaders(() => connectionsOf(io), options.timers)
  )

  corkFrames(io)
  // Before the login below, so that it knows when that begins.
  enforceEntitlement(io, options)

  const loggingIn = new WeakSet<object>()
  io.use((socket, next) => {
    // A second login on one connection would create a second socket with limits of its own.
    if (loggingIn.has(socket.conn)) {
      socket.conn.close()
      return next(new Error('joined twice'))
    }
    loggingIn.add(socket.conn)
    const token: unknown = socket.handshake.auth['token']
    const ip = options.clientAddress(socket.request)
    options
      .authenticate(typeof token === 'string' ? token : '')
      .then((actor) => {
        // Blocked since the connection was opened, when there was no socket yet to disconnect.
        if (options.isBlocked(ip)) throw addressBlocked()
        const most = options.limits.sockets
        if (most > 0 && countOf(io, actor.userId) >= most) throw tryAgainAfter(60)
        socket.data = {
          actor,
          lastCheck: 0,
          token: String(token),
          watch: watchToken(socket, options.timers),
          ip,
          limits: limitsOf(actor.userId)
        }
        admitted.get(socket.conn)?.()
        next()
      })
      .catch((error: unknown) => {
        loggingIn.delete(socket.conn)
        const { code, message } = toAppError(error)
        const userAgent = socket.handshake.headers['user-agent'] ?? ''
        events.emit('refused', { ip, method: 'SOCKET', url: 'CONNECT', userAgent })
        next(Object.assign(new Error(message), { data: { code, message } }))
      })
  })

  io.on('connection', (socket) => {
    metrics.sockets.inc()
    socket.data.watch.renewed(socket.data.token)
    socket.on('disconnect', () => {
      metrics.sockets.dec()
      socket.data.watch.stop()
      // The connection serves no other socket, and no token expiry would ever close it.
      socket.conn.close()
    })
    socket.on('error', (error) => log.warn({ err: error }, 'socket error'))
    socket.use(([event], next) => {
      if (Object.hasOwn(clientEvents, event)) next()
      else if (!socket.data.limits.mayStray()) socket.disconnect(true)
    })
    void socket.join(sessionRoom(socket.data.actor.sessionId))
    for (const listen of options.listeners) listen(socket)
  })

  listenToDomain(io, options)
  events.on('address-blocked', ({ ip }) => {
    const group = addressGroup(ip)
    for (const socket of io.sockets.sockets.values())
      if (addressGroup(socket.data.ip) === group) socket.disconnect(true)
  })
  return io
}

/** Counts the connections of an account. Counted on each new connection, which is rare. */
function countOf(io: BattiServer, userId: string): number {
  let count = 0
  for (const { data } of io.sockets.sockets.values()) if (data.actor.userId === userId) count += 1
  return count
}

/** Returns engine.io's own list of connections, which its types expose only to subclasses. */
function connectionsOf(io: BattiServer): ReaderConnection[] {
  const engine: unknown = io.engine
  const isEngine = (value: unknown): value is { clients: Record<string, ReaderConnection> } =>
    typeof value === 'object' && value !== null && 'clients' in value
  return isEngine(engine) ? Object.values(engine.clients) : []
}

function watchToken(socket: BattiSocket, timers: Timers): TokenWatch {
  return createTokenWatch({
    timers,
    onExpired: (endsAt) => void socket.emit('token-expired', { endsAt }),
    // Closes like a broken line, so that a client that has a new token by then reconnects with it.
    onEnd: () => {
      socket.conn.close()
    }
  })
}

/**
 * Staff receive what their lists show of every board: presence, version and what people set. A signal changes too often,
 * and a list of the schedules of all homes would be fetched again all the time.
 */
const isOfLists = (name: 'device-changed' | 'device-edited', update: Readonly<Record<string, unknown>>): boolean =>
  (name === 'device-edited' && !('schedulesRev' in update)) || 'isOnline' in update || 'osVersion' in update

/** Forwards domain events to the rooms that may receive them. */
function listenToDomain(io: BattiServer, { events }: SocketServerOptions): void {
  // Every instance receives all of these events, directly or from others, so each emits to its local sockets only. Skipped
  // for empty rooms: socket.io would encode the event all the same.
  const screensIn = (...rooms: string[]) =>
    rooms.some((room) => io.sockets.adapter.rooms.has(room)) ? io.local.to(rooms) : null
  for (const name of ['device-changed', 'device-edited'] as const) {
    events.on(name, ({ deviceMac, update, at }) => {
      const rooms = isOfLists(name, update) ? [deviceRoom(deviceMac), staffRoom] : [deviceRoom(deviceMac)]
      screensIn(...rooms)?.emit('update-from-device', { deviceMac, update, at })
    })
  }
  events.on('device-released', ({ deviceMac, reason }) => endRoom(io, { deviceMac, reason }, staffRoom))
  events.on('switch-edited', ({ deviceMac, index, name, isFavorite, at }) => {
    const update = {
      ...(name !== undefined && { switchNames: { [index]: name } }),
      ...(isFavorite !== undefined && { switchFavorites: { [index]: isFavorite } })
    }
    screensIn(deviceRoom(deviceMac))?.emit('update-from-device', { deviceMac, update, at })
  })
  // Every instance counts every board, so each emits to its local sockets only.
  events.on('fleet-changed', (figures) => void screensIn(staffRoom)?.emit('fleet-changed', figures))
  events.on(
    'claim-progressed',
    ({ userId, progress }) => void screensIn(userRoom(userId))?.emit('claim-progress', progress)
  )
  events.on('user-notified', ({ userId, text }) => void screensIn(userRoom(userId))?.emit('notify-user', text))
  // The instance that noticed the change first has shared it with the others.
  events.on('firmware-notice', ({ userId, event }) => {
    const rooms = userId === null ? [staffRoom] : [staffRoom, userRoom(userId)]
    screensIn(...rooms)?.emit('firmware-progress', event)
  })
  events.on('rollout-notice', (event) => void screensIn(staffRoom)?.emit('rollout-progress', event))
}
