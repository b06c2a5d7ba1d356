import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'

/** Which boards this instance keeps in memory. `forgetBoard` lets go of everything that is known of one. */
export function createBoardMemory(parts: {
  registry: DeviceRegistry
  store: DeviceStore
  forgetBoard(device: LiveDevice): void
}) {
  const { registry, store, forgetBoard } = parts
  return {
    /** Those that nothing asks for; while the database takes nothing, what is known of them may be in memory alone. */
    forgetUnused(): void {
      if (!store.isHealthy()) return
      for (const device of registry.unused()) forgetBoard(device)
    },

    /** What others changed of those of them that are in memory is taken over; what is gone is forgotten. */
    async rereadKnown(isWanted: (device: LiveDevice) => boolean): Promise<void> {
      const gone = await registry.reread([...registry.all()].filter(isWanted))
      for (const device of gone) forgetBoard(device)
    },

    /**
     * What other instances told may be missing: boards on open screens are read again, the others when they are needed.
     * Answers those of them that are still there.
     */
    async readAgain(macs: readonly string[]): Promise<LiveDevice[]> {
      // What is on its way to the database is newer than what is in it.
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
