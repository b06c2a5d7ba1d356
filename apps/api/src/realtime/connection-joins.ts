import { createTokenBucket } from '@batti/kit/token-bucket'
import type { EventEmitter } from 'node:events'

/** A client joins once, and again where its token had run out. Each costs a look at the account, or an answer. */
const joins = { perSecond: 0.1, burst: 10 }

/** socket.io's packet CONNECT. */
const isJoin = (packet: unknown): boolean => typeof packet === 'string' && packet.startsWith('0')

/** Ends a connection that asks for namespaces, ours or none, again and again: no socket's limits count those packets. */
export function boundJoins(connection: EventEmitter & { close(discard: boolean): void }, now: () => number): void {
  const left = createTokenBucket(joins, now)
  connection.on('data', (packet: unknown) => {
    if (isJoin(packet) && !left.take()) connection.close(true)
  })
}
