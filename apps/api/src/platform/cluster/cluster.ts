import type { z } from 'zod'

/**
 * What may wait is told within so long, milliseconds, with whatever else is told by then: each telling wakes every instance, which
 * costs more than what it says.
 */
export const gatherMs = 250

/** The other api instances, as far as this one can tell them anything. What is told may be lost while they are away. */
export interface Cluster {
  /** Names this process; ids of its commands begin with it. */
  readonly instance: string
  /** Whether the others can be told now, and hear this one. */
  isUp(): boolean
  /** Those that have been heard of a moment ago. */
  others(): readonly string[]
  /** `mayWait`: nobody waits for it there; it is told within `gatherMs`, in order. */
  publish(kind: string, payload: unknown, options?: { mayWait: boolean }): void
  /** False where it cannot be told. */
  sendTo(instance: string, kind: string, payload: unknown): boolean
  /** Whatever does not parse is dropped. */
  on<Payload>(kind: string, schema: z.ZodType<Payload>, listener: (payload: Payload) => void): void
  /** What was told meanwhile may be missing: after the link was away, and where something was lost on the way. */
  onMissed(listener: () => void): void
  /** The link has come (true) or gone (false). */
  onTurn(listener: (isUp: boolean) => void): void
  readonly leases: Leases
}

/** Deadlines that all instances keep together: whoever finds one that has passed is the only one who does. */
export interface Leases {
  /** Keeps these until `until`, milliseconds since the epoch. */
  keep(ids: readonly string[], until: number): Promise<void>
  drop(id: string): Promise<void>
  /** Those whose deadline has passed, each handed out once. */
  takeExpired(now: number): Promise<string[]>
  /** Those of them that nobody keeps. */
  missing(ids: readonly string[]): Promise<string[]>
}

/** One instance, or several that hear everything by themselves: nobody is told anything. */
export const aloneAs = (instance: string): Cluster => ({
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
