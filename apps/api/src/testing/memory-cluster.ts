import { systemClock, type Clock } from '@batti/kit/clock'
import type { z } from 'zod'
import { gatherMs, type Cluster } from '../platform/cluster/cluster.ts'

/** Connects api instances in one process like Redis does; the test can cut them off. */
export function createMemoryCluster() {
  let clock: Pick<Clock, 'monotonic'> = systemClock
  const members = new Map<string, { hear(kind: string, payload: unknown): void; turn(isUp: boolean): void }>()
  const leases = new Map<string, number>()
  let isUp = true
  const calm: string[] = []
  const lost = new Set<string>()
  const direct: string[] = []
  /** Messages that are sent, and senders that gather some. */
  let underWay = 0

  return {
    /** The kinds of all messages sent with `mayWait`. */
    calm,
    /** Resolves when every message has been received. */
    async settled(): Promise<void> {
      do await new Promise((resolve) => setTimeout(resolve, 5))
      while (underWay > 0)
    },
    /** Cuts off or reconnects all instances. */
    turn(to: boolean): void {
      isUp = to
      for (const member of members.values()) member.turn(to)
    },
    leases,
    /** Sets the clock of the leases. */
    useClock: (given: Pick<Clock, 'monotonic'>): void => void (clock = given),
    /** Kinds of messages that are lost. */
    lost,
    /** The kinds of all messages sent to a single instance. */
    direct,
    /** Removes an instance without notice. */
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
        if (!isUp || lost.has(kind)) return
        underWay += 1
        setImmediate(() => {
          underWay -= 1
          members.get(to)?.hear(kind, JSON.parse(JSON.stringify(payload)))
        })
      }
      let waiting: [kind: string, payload: unknown][] = []
      let gathering: NodeJS.Timeout | undefined
      const sendAll = (): void => {
        if (gathering !== undefined) underWay -= 1
        clearTimeout(gathering)
        gathering = undefined
        const messages = waiting
        waiting = []
        for (const name of members.keys())
          if (name !== instance) for (const [kind, payload] of messages) send(name, kind, payload)
      }
      return {
        instance,
        isUp: () => isUp,
        others: () => [...members.keys()].filter((name) => name !== instance),
        publish(kind, payload, { mayWait } = { mayWait: false }) {
          // A copy, because the sender may change it meanwhile.
          waiting.push([kind, structuredClone(payload)])
          if (!mayWait) {
            sendAll()
            return
          }
          calm.push(kind)
          if (gathering !== undefined) return
          underWay += 1
          gathering = setTimeout(sendAll, gatherMs)
        },
        sendTo(name, kind, payload) {
          if (!isUp || !members.has(name)) return false
          direct.push(kind)
          send(name, kind, payload)
          return true
        },
        on<Payload>(kind: string, schema: z.ZodType<Payload>, listener: (payload: Payload) => void) {
          listeners.set(kind, (payload) => listener(schema.parse(payload)))
        },
        onTurn: (listener) => void turns.push(listener),
        onMissed(listener) {
          missed.push(listener)
          // Messages from before it joined may have been missed.
          setImmediate(() => (isUp ? listener() : undefined))
        },
        leases: {
          keep: async (ids, forMs) => ids.forEach((id) => leases.set(id, clock.monotonic() + forMs)),
          drop: async (id) => void leases.delete(id),
          takeExpired: async () =>
            [...leases].flatMap(([id, until]) => (until <= clock.monotonic() && leases.delete(id) ? [id] : [])),
          missing: async (ids) => ids.filter((id) => !leases.has(id))
        }
      }
    }
  }
}
export type MemoryCluster = ReturnType<typeof createMemoryCluster>
