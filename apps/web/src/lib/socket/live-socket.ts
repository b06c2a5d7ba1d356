import type { ClientToServerEvents, ServerToClientEvents } from '@batti/contracts'
import { realtimeReconnectionAttempts, realtimeReconnectionDelayMs } from '@batti/contracts'
import type { Socket } from 'socket.io-client'

export type LiveSocket = Socket<ServerToClientEvents, ClientToServerEvents>

/** `token` is asked anew at each attempt, so that a reconnection never carries one that has run out. */
export type OpenSocket = (token: () => Promise<string | null>) => Promise<LiveSocket>

/** Websocket only, five attempts a second apart. The library is loaded when somebody is signed in. */
export function createOpenSocket(origin: string): OpenSocket {
  return async (token) => {
    const { io } = await import('socket.io-client')
    return io(origin, {
      autoConnect: false,
      transports: ['websocket'],
      reconnectionAttempts: realtimeReconnectionAttempts,
      reconnectionDelay: realtimeReconnectionDelayMs,
      reconnectionDelayMax: realtimeReconnectionDelayMs,
      auth: (send) => {
        token().then(
          (value) => send({ token: value }),
          // The session ended; the server refuses an empty handshake and the connection is dropped with the session.
          () => send({ token: null })
        )
      }
    })
  }
}
