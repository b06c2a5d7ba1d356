import type { z } from 'zod'
import type { Cluster } from '../platform/cluster/cluster.ts'

/** Api instances of one process that tell each other everything, as through Redis; the test cuts them off. */
export function createMemoryCluster() {
  const members = new Map<string, { hear(kind: string, payload: unknown): void; turn(isUp: boolean): void }>()
  const leases = new Map<string, number>()
  let isUp = true

  return {
    /** All of them are cut off, or together again. */
    turn(to: boolean): void {
      isUp = to
      for (const member of members.values()) member.turn(to)
    },
    leases,
    /** Dies without a word. */
    lose: (instance: string): void => void members.delete(instance),
    join(instance: string): Cluster {
      const listeners = new Map<string, (payload: unknown) => void>()
      const turns: ((isUp: boolean) => void)[] = []
      const missed: (() => void)[] = []
      members.set(instance, {
        hear: (kind, payload) => listeners.get(kind)?.(payload),
        turn(to) {
          for (const listener of turns) listener(to)
          if (to) for (const listener of missed) listener()
        }
      })
      const send = (to: string, kind: string, payload: unknown): void => {
        if (isUp) setImmediate(() => members.get(to)?.hear(kind, JSON.parse(JSON.stringify(payload))))
      }
      return {
        instance,
        isUp: () => isUp,
        isAlive: (name) => members.has(name),
        publish(kind, payload) {
          for (const name of members.keys()) if (name !== instance) send(name, kind, payload)
        },
        sendTo(name, kind, payload) {
          if (!isUp || !members.has(name)) return false
          send(name, kind, payload)
          return true
        },
        on<Payload>(kind: string, schema: z.ZodType<Payload>, listener: (payload: Payload) => void) {
          listeners.set(kind, (payload) => listener(schema.parse(payload)))
        },
        onTurn: (listener) => void turns.push(listener),
        onMissed: (listener) => void missed.push(listener),
        leases: {
          keep: async (ids, until) => ids.forEach((id) => leases.set(id, until)),
          drop: async (id) => void leases.delete(id),
          takeExpired: async (now) =>
            [...leases].flatMap(([id, until]) => (until <= now && leases.delete(id) ? [id] : [])),
          missing: async (ids) => ids.filter((id) => !leases.has(id))
        }
      }
    }
  }
}
export type MemoryCluster = ReturnType<typeof createMemoryCluster>
