import type { Timers } from '@batti/kit/clock'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Actor } from '../platform/people/actor.ts'
import type { EventBus } from '../platform/events.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { BattiSocket } from '../platform/sockets.ts'

export interface SocketServerOptions {
  http: HttpServer
  events: EventBus
  log: Logger
  metrics: Pick<Metrics, 'sockets'>
  /** `sockets`: the maximum per account. */
  limits: { commandsPerSecond: number; joinsPerMinute: number; sockets: number }
  /** Whether the request's Host is one of ours. */
  isOwnHost(request: IncomingMessage): boolean
  /** Whether the request comes from a page of ours, or from no page. */
  isOwnPage(request: IncomingMessage): boolean
  clientAddress(request: IncomingMessage): string
  /** Monotonic time in milliseconds. */
  monotonic(): number
  isBlocked(ip: string): boolean
  /** @throws AppError UNAUTHENTICATED with what is wrong with the token. */
  authenticate(token: string): Promise<Actor>
  /** Returns the actors that are still logged in, as they are now, by session id. */
  whoStays(actors: readonly Actor[]): Promise<Map<string, Actor>>
  listeners: readonly ((socket: BattiSocket) => void)[]
  maySeeFleet(actor: Actor): boolean
  /** Returns whether that account may see the board now; false for a board that does not exist. */
  maySee(actor: Actor, deviceMac: string): Promise<boolean>
  timers: Timers
}
