import { io, type Socket } from 'socket.io-client'

export interface SocketOptions {
  /** Text, unless a test sends nonsense. */
  token: unknown
  /** Sent as the page's origin. */
  origin?: string
}

/** An open socket of a program: connected when this resolves, and not again once it is lost. @throws what the server says. */
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
