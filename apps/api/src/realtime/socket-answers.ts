import type { ClientEvent, RefusedAck } from '@batti/contracts'
import type { EventBus } from '../platform/events.ts'
import type { BattiSocket } from '../platform/sockets.ts'

/** Returns the acknowledgement callback of an event, or a no-op when the client wants none. */
export function acknowledgement<Answer>(args: readonly unknown[]): (answer: Answer) => void {
  const last = args.at(-1)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- socket.io hands over the client's callback untyped
  return typeof last === 'function' ? (last as (answer: Answer) => void) : () => undefined
}

export type NoteRefusal = (socket: BattiSocket, event: ClientEvent, code: RefusedAck['code']) => void

const noted = new Set<string>(['NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED', 'TOO_MANY_REQUESTS'])

/** Records a refusal in the unauthorized log: somebody requested what is not theirs. */
export function noteRefusal(events: EventBus): NoteRefusal {
  return (socket, event, code) => {
    if (!noted.has(code)) return
    events.emit('refused', {
      ip: socket.data.ip,
      method: 'SOCKET',
      url: event,
      userAgent: socket.handshake.headers['user-agent'] ?? ''
    })
  }
}
