import type { LiveDevice } from './live-device.ts'

type Keep = (device: LiveDevice) => LiveDevice

/**
 * Reads boards into memory. One that is forgotten during its read is read again: it may have been deleted after the first
 * read, and its former owner must not keep it.
 */
export function createKeptReads(readMany: (ids: string[]) => Promise<LiveDevice[]>) {
  /** For each read under way, the boards forgotten since it began. */
  const underWay = new Set<Set<string>>()

  async function keep(read: () => Promise<readonly LiveDevice[]>, take: Keep): Promise<LiveDevice[]> {
    const forgotten = new Set<string>()
    underWay.add(forgotten)
    const kept: LiveDevice[] = []
    const again: string[] = []
    try {
      for (const device of await read()) {
        if (forgotten.has(device.id)) again.push(device.id)
        else kept.push(take(device))
      }
    } finally {
      underWay.delete(forgotten)
    }
    return again.length === 0 ? kept : [...kept, ...(await keep(() => readMany(again), take))]
  }

  return {
    /** Passes each board that is read to `take`, which puts it into memory. Returns what `take` returned. */
    keep,
    /** The same for one board; null if it does not exist. */
    keepOne: async (read: () => Promise<LiveDevice | null>, take: Keep): Promise<LiveDevice | null> =>
      (await keep(async () => [(await read()) ?? []].flat(), take))[0] ?? null,
    /** Call when a board is forgotten. */
    forget(id: string): void {
      for (const forgotten of underWay) forgotten.add(id)
    }
  }
}
export type KeptReads = ReturnType<typeof createKeptReads>
