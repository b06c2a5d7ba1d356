import { lenientParse } from '@batti/client/lenient-parse'
import { serverEvents, type ServerEvent, type ServerToClientEvents } from '@batti/contracts'
import type { LiveSocket } from './live-socket.ts'

type Payload<E extends ServerEvent> = Parameters<ServerToClientEvents[E]>[0]

const serverEventNames = Object.keys(serverEvents).filter((name): name is ServerEvent =>
  Object.hasOwn(serverEvents, name)
)

/** Listeners of the server's events. Payloads are parsed first. */
export function createServerEventListeners() {
  const listeners = new Map<ServerEvent, Set<(payload: never) => void>>()

  function deliver(event: ServerEvent, raw: unknown) {
    const parsed = lenientParse(serverEvents[event], raw)
    // Unknown shapes of a newer server are dropped; the next snapshot corrects the state.
    if (!parsed.success) return
    // A set contains only listeners of its own event.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the event's own schema
    for (const listener of listeners.get(event) ?? []) listener(parsed.data as never)
  }

  return {
    /** Delivers the events of this socket. */
    hear: (socket: LiveSocket) => {
      for (const event of serverEventNames) socket.on(event, (payload: unknown) => deliver(event, payload))
    },
    /** Returns the undo function. */
    on: <E extends ServerEvent>(event: E, listener: (payload: Payload<E>) => void): (() => void) => {
      const own = listeners.get(event) ?? new Set()
      listeners.set(event, own)
      own.add(listener)
      return () => void own.delete(listener)
    }
  }
}
