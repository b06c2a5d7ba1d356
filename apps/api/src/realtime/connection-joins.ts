import { createTokenBucket } from '@batti/kit/token-bucket'
import type { EventEmitter } from 'node:events'

/** A client joins once, and again when its token has expired. Each join costs an account lookup or an answer. */
const joins = { perSecond: 0.1, burst: 10 }

/** socket.io's packet CONNECT. */
const isJoin = (packet: unknown): boolean => typeof packet === 'string' && packet.startsWith('0')

/** Closes a connection that sends CONNECT packets too often. They belong to no socket, so no socket's limits count them. */
export function boundJoins(connection: EventEmitter & { close(discard: boolean): void }, now: () => number): void {
  const left = createTokenBucket(joins, now)
  connection.on('data', (packet: unknown) => {
    if (isJoin(packet) && !left.take()) connection.close(true)
  })
}
