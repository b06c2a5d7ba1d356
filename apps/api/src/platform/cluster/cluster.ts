import type { z } from 'zod'

/**
 * Messages that may wait are batched for up to this long, in milliseconds: each batch wakes every instance, which costs more than
 * its contents.
 */
export const gatherMs = 250

/** The other api instances. Messages may be lost while the link is down. */
export interface Cluster {
  /** The name of this process; its command ids begin with it. */
  readonly instance: string
  /** Whether messages reach the others, and theirs reach this instance. */
  isUp(): boolean
  /** Instances that were heard recently. */
  others(): readonly string[]
  /** Sends a message to all others. `mayWait`: nobody waits for it, so it is sent within `gatherMs`, in order. */
  publish(kind: string, payload: unknown, options?: { mayWait: boolean }): void
  /** Sends a message to one instance. Returns false if it cannot be reached. */
  sendTo(instance: string, kind: string, payload: unknown): boolean
  /** Registers the listener of a kind of message. Messages that do not parse are dropped. */
  on<Payload>(kind: string, schema: z.ZodType<Payload>, listener: (payload: Payload) => void): void
  /** Called when messages may have been missed: after the link was down, or when one was lost. */
  onMissed(listener: () => void): void
  /** Called when the link goes up (true) or down (false). */
  onTurn(listener: (isUp: boolean) => void): void
  readonly leases: Leases
}

/**
 * Deadlines shared by all instances: an expired one is handed to exactly one instance. They are kept by the clock of the
 * store, because that of one machine may be wrong.
 */
export interface Leases {
  /** Sets the deadline of these ids, in milliseconds from now. */
  keep(ids: readonly string[], forMs: number): Promise<void>
  drop(id: string): Promise<void>
  /** Takes out the ids whose deadline has passed; each is returned only once. */
  takeExpired(): Promise<string[]>
  /** Returns those of the ids that have no deadline. */
  missing(ids: readonly string[]): Promise<string[]>
}

/** A cluster without messages: for a single instance, or for several that each receive everything themselves. */
export const singleInstance = (instance: string): Cluster => ({
  instance,
  isUp: () => false,
  others: () => [],
  publish: () => undefined,
  sendTo: () => false,
  on: () => undefined,
  onMissed: () => undefined,
  onTurn: () => undefined,
  leases: {
    keep: () => Promise.resolve(),
    drop: () => Promise.resolve(),
    takeExpired: () => Promise.resolve([]),
    missing: (ids) => Promise.resolve([...ids])
  }
})
