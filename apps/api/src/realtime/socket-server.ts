import { socketMessageMaxBytes } from '@batti/contracts'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import type { Actor } from '../platform/people/actor.ts'
import type { EventBus } from '../platform/events.ts'
import { toAppError } from '../platform/http/error-handler.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { BattiServer, BattiSocket } from '../platform/sockets.ts'
import { deviceRoom, sessionRoom, staffRoom, userRoom } from './device-events.ts'
import { gatherFrames } from './gather-frames.ts'
import { createSocketLimits } from './socket-limits.ts'

export interface SocketServerOptions {
  http: HttpServer
  events: EventBus
  log: Logger
  metrics: Pick<Metrics, 'sockets'>
  limits: { commandsPerSecond: number; joinsPerMinute: number }
  corsOrigins: readonly string[]
  /** Whether the request came under a name of ours. */
  isOwnHost(request: IncomingMessage): boolean
  clientAddress(request: IncomingMessage): string
  /** Milliseconds that only go forward. */
  monotonic(): number
  isBlocked(ip: string): boolean
  /** @throws AppError UNAUTHENTICATED with what is wrong with the token. */
  authenticate(token: string): Promise<Actor>
  listeners: readonly ((socket: BattiSocket) => void)[]
  maySeeFleet(actor: Actor): boolean
  maySeeAnyDevice(actor: Actor): boolean
}

/** socket.io on the product's own address: websocket only, rooms joined from the token, strangers refused at the door. */
export function createSocketServer(options: SocketServerOptions): BattiServer {
  const { events, log, metrics } = options
  const io: BattiServer = new Server(options.http, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: socketMessageMaxBytes,
    perMessageDeflate: false,
    pingInterval: 20_000,
    pingTimeout: 10_000,
    // Recovery would skip the checks of the handshake.
    allowRequest: (request, decide) => {
      const refusal = refusalOf(request, options)
      decide(refusal, refusal === null)
    }
  })

  gatherFrames(io)

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token']
    const ip = options.clientAddress(socket.request)
    options
      .authenticate(typeof token === 'string' ? token : '')
      .then((actor) => {
        socket.data = { actor, token: String(token), ip, limits: createSocketLimits(options.limits, options.monotonic) }
        next()
      })
      .catch((error: unknown) => {
        const { code, message } = toAppError(error)
        events.emit('refused', {
          ip,
          method: 'SOCKET',
          url: 'connect',
          userAgent: socket.handshake.headers['user-agent'] ?? ''
        })
        next(Object.assign(new Error(message), { data: { code, message } }))
      })
  })

  io.on('connection', (socket) => {
    metrics.sockets.inc()
    socket.on('disconnect', () => metrics.sockets.dec())
    socket.on('error', (error) => log.warn({ err: error }, 'socket error'))
    void socket.join(sessionRoom(socket.data.actor.sessionId))
    for (const listen of options.listeners) listen(socket)
  })

  listenToDomain(io, options)
  events.on('address-blocked', ({ ip }) => {
    for (const socket of io.sockets.sockets.values()) if (socket.data.ip === ip) socket.disconnect(true)
  })
  return io
}

/** What the domain tells, to the rooms that may hear it. */
function listenToDomain(io: BattiServer, options: SocketServerOptions): void {
  const { events, authenticate, maySeeFleet, maySeeAnyDevice } = options
  // Every instance hears of both by itself, so each tells its own screens.
  for (const name of ['device-changed', 'device-edited'] as const) {
    events.on(name, ({ deviceMac, update, at }) => {
      io.local.to(deviceRoom(deviceMac)).emit('update-from-device', { deviceMac, update, at })
    })
  }
  events.on('device-released', ({ deviceMac }) => io.in(deviceRoom(deviceMac)).socketsLeave(deviceRoom(deviceMac)))
  events.on('claim-progressed', ({ userId, progress }) => void io.to(userRoom(userId)).emit('claim-progress', progress))
  events.on('user-notified', ({ userId, text }) => void io.to(userRoom(userId)).emit('notify-user', text))
  events.on('firmware-progressed', ({ deviceMac, userId, progress }) => {
    if (userId !== null) io.to(userRoom(userId)).emit('firmware-progress', { deviceMac, ...progress })
  })
  events.on('session-ended', ({ sessionId }) => io.in(sessionRoom(sessionId)).disconnectSockets(true))
  events.on('account-deleted', ({ userId }) => io.in(userRoom(userId)).disconnectSockets(true))
  events.on('account-changed', async ({ userId }) => {
    for (const socket of io.sockets.sockets.values()) {
      if (socket.data.actor.userId !== userId) continue
      try {
        socket.data.actor = await authenticate(socket.data.token)
        if (!maySeeFleet(socket.data.actor)) void socket.leave(staffRoom)
        if (!maySeeAnyDevice(socket.data.actor)) leaveDeviceRooms(socket)
      } catch {
        socket.disconnect(true)
      }
    }
  })
}

function leaveDeviceRooms(socket: BattiSocket): void {
  for (const room of socket.rooms) if (room.startsWith(deviceRoom(''))) void socket.leave(room)
}

/** socket.io's CORS setting does not guard websockets: the Origin is checked here. Apps send none. */
function refusalOf(request: IncomingMessage, options: SocketServerOptions): string | null {
  if (options.isBlocked(options.clientAddress(request))) return 'blocked'
  if (!options.isOwnHost(request)) return 'foreign host'
  const { origin, host } = request.headers
  if (origin === undefined) return null
  if (options.corsOrigins.includes(origin)) return null
  return URL.parse(origin)?.host === host ? null : 'foreign origin'
}
