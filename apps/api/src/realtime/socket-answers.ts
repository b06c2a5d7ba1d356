import { clientEvents, type ClientEvent, type RefusedAck } from '@batti/contracts'
import type { z } from 'zod'
import type { EventBus } from '../platform/events.ts'
import { toAppError } from '../platform/http/error-handler.ts'
import { parseInput } from '../platform/http/validate.ts'
import type { BattiSocket } from '../platform/sockets.ts'

/** Returns the acknowledgement callback of an event, or a no-op when the client wants none. */
export function acknowledgement<Answer>(args: readonly unknown[]): (answer: Answer) => void {
  const last = args.at(-1)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- socket.io hands over the client's callback untyped
  return typeof last === 'function' ? (last as (answer: Answer) => void) : () => undefined
}

export type EventPayload<Event extends ClientEvent> = z.output<(typeof clientEvents)[Event]>
const schemas: { [Event in ClientEvent]: z.ZodType<EventPayload<Event>> } = clientEvents

/** @throws AppError VALIDATION */
export const parsePayload = <Event extends ClientEvent>(event: Event, payload: unknown): EventPayload<Event> =>
  parseInput<z.ZodType<EventPayload<Event>>>(schemas[event], payload)

/** Answers an event that is refused. */
export type RefuseEvent = (
  socket: BattiSocket,
  event: ClientEvent,
  refusal: { error: unknown; ack(answer: RefusedAck): void }
) => void

const noted = new Set<string>(['NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED', 'TOO_MANY_REQUESTS'])

/** Also records it in the unauthorized log if somebody requested what is not theirs, and closes a connection that floods. */
export function createRefuseEvent(events: EventBus): RefuseEvent {
  return (socket, event, { error, ack }) => {
    const { code, message } = toAppError(error)
    ack({ ok: false, code, message })
    if (noted.has(code)) {
      const userAgent = socket.handshake.headers['user-agent'] ?? ''
      events.emit('refused', { ip: socket.data.ip, method: 'SOCKET', url: event, userAgent })
    }
    if (socket.data.limits.isFlooding()) socket.disconnect(true)
  }
}
