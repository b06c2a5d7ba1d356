import { statesToWire, withStates } from '@batti/contracts'
import { createDeviceReader } from './device-reader.ts'
import type { LiveDevice } from './live-device.ts'

/** Live records by id and by MAC, loaded from the database when first asked for. */
export function createDeviceRegistry(models: Parameters<typeof createDeviceReader>[0]) {
  const reader = createDeviceReader(models)
  const byId = new Map<string, LiveDevice>()
  const byMac = new Map<string, LiveDevice>()
  const loading = new Map<string, Promise<LiveDevice | null>>()

  /** The record in memory stays the one: its board may have spoken while another was read. */
  function remember(device: LiveDevice): LiveDevice {
    const known = byId.get(device.id)
    if (known !== undefined) return known
    byId.set(device.id, device)
    byMac.set(device.mac, device)
    return device
  }

  function forget(id: string): void {
    const known = byId.get(id)
    if (known === undefined) return
    byId.delete(id)
    byMac.delete(known.mac)
  }

  /** Two askers at once share one read. */
  function readOnce(key: string, filter: Parameters<typeof reader.readOne>[0]): Promise<LiveDevice | null> {
    const running = loading.get(key)
    if (running !== undefined) return running
    const reading = reader
      .readOne(filter)
      .then((device) => (device === null ? null : remember(device)))
      .finally(() => loading.delete(key))
    loading.set(key, reading)
    return reading
  }

  /** In the order asked for; what does not exist is left out. */
  async function findMany(ids: readonly string[]): Promise<Map<string, LiveDevice>> {
    const missing = ids.filter((id) => !byId.has(id))
    if (missing.length > 0) for (const device of await reader.readMany(missing)) remember(device)
    const found = new Map<string, LiveDevice>()
    for (const id of ids) {
      const device = byId.get(id)
      if (device !== undefined) found.set(id, device)
    }
    return found
  }

  return {
    /** What is in memory now; undefined means unknown here, not absent. */
    peek: (id: string): LiveDevice | undefined => byId.get(id),
    peekByMac: (mac: string): LiveDevice | undefined => byMac.get(mac),
    find: (id: string): Promise<LiveDevice | null> => {
      const known = byId.get(id)
      return known === undefined ? readOnce(id, { _id: id }) : Promise.resolve(known)
    },
    findByMac: (mac: string): Promise<LiveDevice | null> => {
      const known = byMac.get(mac)
      return known === undefined ? readOnce(mac, { deviceMac: mac }) : Promise.resolve(known)
    },
    /** Reads again what others changed (owner, names); what the board said stays. */
    async refresh(id: string): Promise<LiveDevice | null> {
      const known = byId.get(id)
      if (known === undefined) return readOnce(id, { _id: id })
      const fresh = await reader.readOne({ _id: id })
      if (fresh === null) {
        forget(id)
        return null
      }
      const { userId, roomId, deviceName, setName, timezone, configRev, schedulesRev } = fresh
      const outlets = withStates(fresh.outlets, statesToWire(known.outlets))
      return Object.assign(known, { userId, roomId, deviceName, setName, timezone, outlets, configRev, schedulesRev })
    },
    forget,
    findMany,
    /** Every board of one account. */
    ofUser: async (userId: string): Promise<LiveDevice[]> => [
      ...(await findMany(await reader.findIdsOfUser(userId))).values()
    ],
    findIdsByName: reader.findIdsByName,
    /** Boards that the database holds online when this process starts: they must show signs of life. */
    async loadOnline(): Promise<void> {
      for (const device of await reader.readOnline()) remember(device)
    },
    all: (): Iterable<LiveDevice> => byId.values()
  }
}
export type DeviceRegistry = ReturnType<typeof createDeviceRegistry>
