import {
  type ClientToServerEvents,
  type ServerToClientEvents,
  realtimeReconnectionAttempts,
  realtimeReconnectionDelayMs
} from '@batti/contracts'
import type { Socket } from 'socket.io-client'

export type LiveSocket = Socket<ServerToClientEvents, ClientToServerEvents>

/** `token` is called at each attempt, so that a reconnection never sends an expired one. */
export type OpenSocket = (token: () => Promise<string | null>) => Promise<LiveSocket>

/** A proxy may take the connection and never answer: the page must not look alive meanwhile. */
const attemptWithinMs = 10_000

/** Websocket only, five attempts at intervals of one second. The library is loaded when somebody signs in. */
export function createOpenSocket(origin: string): OpenSocket {
  return async (token) => {
    const { io } = await import('socket.io-client')
    return io(origin, {
      autoConnect: false,
      transports: ['websocket'],
      timeout: attemptWithinMs,
      reconnectionAttempts: realtimeReconnectionAttempts,
      reconnectionDelay: realtimeReconnectionDelayMs,
      reconnectionDelayMax: realtimeReconnectionDelayMs,
      auth: (send) => {
        token().then(
          (value) => send({ token: value }),
          // The session has ended: the server refuses a handshake without a token, and the connection is closed with
          // the session.
          () => send({ token: null })
        )
      }
    })
  }
}
