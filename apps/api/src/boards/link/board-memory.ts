import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'

/** Decides which boards this instance keeps in memory. `forgetBoard` drops everything that is known of one. */
export function createBoardMemory(parts: {
  registry: DeviceRegistry
  store: DeviceStore
  forgetBoard(device: LiveDevice): void
}) {
  const { registry, store, forgetBoard } = parts
  return {
    /** Drops unused boards, except while the database is failing: their state may then exist in memory only. */
    forgetUnused(): void {
      if (!store.isHealthy()) return
      for (const device of registry.unused()) forgetBoard(device)
    },

    /** Reads the wanted boards in memory again to pick up changes by others, and drops those that are gone. */
    async rereadKnown(isWanted: (device: LiveDevice) => boolean): Promise<void> {
      const gone = await registry.reread([...registry.all()].filter(isWanted))
      for (const device of gone) forgetBoard(device)
    },

    /**
     * Recovers from missed messages of other instances: reads boards on open screens again and drops all others, which
     * are loaded again on demand. Returns the boards that still exist.
     */
    async readAgain(macs: readonly string[]): Promise<LiveDevice[]> {
      // Pending writes are newer than the database, so they are flushed first.
      await store.stored()
      const shown = (await Promise.all(macs.map((mac) => registry.findByMac(mac)))).filter((device) => device !== null)
      const keep = new Set(shown)
      for (const device of registry.all()) if (!keep.has(device)) forgetBoard(device)
      const gone = await registry.reread(shown)
      for (const device of gone) forgetBoard(device)
      return shown.filter((device) => !gone.includes(device))
    }
  }
}
