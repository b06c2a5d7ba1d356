import type { ServerToClientEvents } from '@batti/contracts'
import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { Actor } from './people/actor.ts'

/** Rate limits of one socket. */
export interface SocketLimits {
  mayCommand(): boolean
  mayJoin(): boolean
  mayRenew(): boolean
  /** Limits unknown events: they are never answered, and a thousand too many close the connection. */
  mayStray(): boolean
  /** Whether the last request was refused, as all have been for 5 s: the connection must be closed. */
  isFlooding(): boolean
}

/** Ends a connection whose access token has expired. */
export interface TokenWatch {
  /** Starts the watch for a token that has just been verified. */
  renewed(token: string): void
  stop(): void
}

interface SocketData {
  actor: Actor
  /** The number of the check that the actor is from. */
  lastCheck: number
  token: string
  watch: TokenWatch
  ip: string
  limits: SocketLimits
}

/** Client events are parsed by hand, because their payloads are untrusted. */
type RawEvents = Record<string, (...args: unknown[]) => void>
export type BattiServer = Server<RawEvents, ServerToClientEvents, DefaultEventsMap, SocketData>
export type BattiSocket = Socket<RawEvents, ServerToClientEvents, DefaultEventsMap, SocketData>
