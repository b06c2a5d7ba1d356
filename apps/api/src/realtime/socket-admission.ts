import type { IncomingMessage } from 'node:http'
import { endWith } from '../platform/http/broken-requests.ts'
import type { SocketServerOptions } from './socket-options.ts'
import type { PendingConnections } from './pending-connections.ts'

/** Returns why a connection is refused, or null. socket.io's CORS setting does not cover websockets. */
export function refusalOf(
  request: IncomingMessage,
  options: SocketServerOptions,
  pending: PendingConnections
): string | null {
  const ip = options.clientAddress(request)
  if (options.isBlocked(ip)) return 'blocked'
  if (!pending.mayEnter(ip)) return 'too many strangers'
  if (!options.isOwnHost(request)) return 'foreign host'
  return options.isOwnPage(request) ? null : 'foreign origin'
}

/** Answers 403 without a body, before engine.io would answer 400, and adds a row to the unauthorized log. */
export function refuseConnection(request: IncomingMessage, options: SocketServerOptions): void {
  const ip = options.clientAddress(request)
  const userAgent = request.headers['user-agent'] ?? ''
  options.events.emit('refused', { ip, method: 'SOCKET', url: 'CONNECT', userAgent })
  endWith(request.socket, 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}
