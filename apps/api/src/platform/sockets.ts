import type { ServerToClientEvents } from '@batti/contracts'
import type { DefaultEventsMap, Server, Socket } from 'socket.io'
import type { Actor } from './people/actor.ts'

/** What one socket may do in a time. */
export interface SocketLimits {
  mayCommand(): boolean
  mayJoin(): boolean
  mayRenew(): boolean
  /** An event that nobody knows: never answered, and the end after a thousand too many. */
  mayStray(): boolean
  /** Whether what was asked last was too much, as everything has been for 5 s: the connection has to end. */
  isFlooding(): boolean
}

/** Ends a connection whose access token has run out. */
export interface TokenWatch {
  /** A token that was verified a moment ago. */
  renewed(token: string): void
  stop(): void
}

interface SocketData {
  actor: Actor
  token: string
  watch: TokenWatch
  ip: string
  limits: SocketLimits
}

/** Client events are parsed by hand: their payloads are whatever a stranger sends. */
type RawEvents = Record<string, (...args: unknown[]) => void>
export type BattiServer = Server<RawEvents, ServerToClientEvents, DefaultEventsMap, SocketData>
export type BattiSocket = Socket<RawEvents, ServerToClientEvents, DefaultEventsMap, SocketData>
