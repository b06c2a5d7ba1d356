import { io, type Socket } from 'socket.io-client'

export interface SocketOptions {
  /** A string, unless a test sends invalid input. */
  token: unknown
  /** Sent as the `Origin` header. */
  origin?: string
}

/** Opens a socket for a program and resolves once it is connected. It does not reconnect. @throws the server's refusal. */
export async function openSocket(url: string, { token, origin }: SocketOptions): Promise<Socket> {
  const socket = io(url, {
    transports: ['websocket'],
    auth: { token },
    reconnection: false,
    forceNew: true,
    ...(origin === undefined ? {} : { extraHeaders: { origin } })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve())
    socket.once('connect_error', reject)
  })
  return socket
}
