import { lenientParse } from '@batti/client/lenient-parse'
import { clientEventAcks, type ClientEvent } from '@batti/contracts'
import type { Socket } from 'socket.io-client'
import type { z } from 'zod'
import type { LiveSocket } from './live-socket.ts'

type Ack<E extends ClientEvent> = z.infer<(typeof clientEventAcks)[E]>
/** `NOT_CONNECTED`: not sent, because there is no connection. A command must not be queued and arrive late. */
export type EmitResult<E extends ClientEvent> =
  | Ack<E>
  | { ok: false; code: 'NOT_CONNECTED' | 'NO_ACK'; message: string }

/** Sends one event to the server and returns its acknowledgement. */
export type Emit = <E extends ClientEvent>(event: E, payload: unknown) => Promise<EmitResult<E>>

const ackTimeoutMs = 3000
const noAck = { ok: false, code: 'NO_ACK', message: '' } as const

/** Implements `Emit` for this socket, or none. `NO_ACK`: no acknowledgement within 3 s, or an invalid one. */
export async function emitBy<E extends ClientEvent>(
  socket: LiveSocket | null,
  event: E,
  payload: unknown
): Promise<EmitResult<E>> {
  if (socket === null || !socket.connected) return { ok: false, code: 'NOT_CONNECTED', message: '' }
  try {
    // socket.io's overloads cannot follow a generic event name.
    const untyped: Socket = socket
    const raw: unknown = await untyped.timeout(ackTimeoutMs).emitWithAck(event, payload)
    const parsed = lenientParse(clientEventAcks[event], raw)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the event's own schema
    return parsed.success ? (parsed.data as Ack<E>) : noAck
  } catch {
    return noAck
  }
}
