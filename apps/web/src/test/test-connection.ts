import type { DeviceSnapshot, ServerEvent, ServerToClientEvents } from '@batti/contracts'
import type { Connection } from '#web/lib/socket/connection.ts'
import type { ConnectionStatus } from '#web/lib/socket/connection-status.ts'
import { createStore } from '#web/lib/store.ts'

type Payload<E extends ServerEvent> = Parameters<ServerToClientEvents[E]>[0]

/** A fake connection: the test sees what is sent, answers it, and emits events. */
export function createTestConnection() {
  const status = createStore<ConnectionStatus>('live')
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const sent: { event: string; payload: unknown }[] = []
  const answers: unknown[] = []
  const snapshots = new Set<(snapshot: DeviceSnapshot) => void>()
  const connection: Connection = {
    getState: status.get,
    subscribe: status.subscribe,
    start: async () => {},
    stop: () => {},
    reconnect: () => {},
    refresh: async () => {},
    join: () => {},
    leave: () => {},
    followFleet: () => {},
    emit: (async (event: string, payload: unknown) => {
      sent.push({ event, payload })
      return answers.shift() ?? { ok: true, id: `c${sent.length}`, expiresAt: 0 }
    }) as Connection['emit'],
    onSnapshot: (listener) => {
      snapshots.add(listener)
      return () => void snapshots.delete(listener)
    },
    on: (event, listener) => {
      const own = listeners.get(event) ?? new Set()
      listeners.set(event, own)
      own.add(listener as (payload: unknown) => void)
      return () => void own.delete(listener as (payload: unknown) => void)
    }
  }
  return {
    connection,
    sent,
    /** Sets the acknowledgement of the next command. */
    answerNext: (answer: unknown) => void answers.push(answer),
    setStatus: status.set,
    receive: <E extends ServerEvent>(event: E, payload: Payload<E>) =>
      listeners.get(event)?.forEach((listener) => listener(payload)),
    /** Emits the snapshot that follows a (re)join. */
    emitSnapshot: (snapshot: DeviceSnapshot) => snapshots.forEach((listener) => listener(snapshot))
  }
}
