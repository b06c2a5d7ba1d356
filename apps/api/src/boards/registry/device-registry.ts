import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { loadInTurn, loadTogether } from '../../platform/store/batches/load-together.ts'
import { createDeviceReader } from './device-reader.ts'
import { createDeviceRefresh } from './device-refresh.ts'
import { createKeptReads } from './kept-reads.ts'
import type { LiveDevice } from './live-device.ts'

/** Boards unused for this long are evicted. Longer than any board keeps repeating an unacknowledged report. */
const unusedMs = 10 * minuteMs
/** After a power cut, a street's boards are looked up within a few milliseconds: the reads are batched. */
const gatherMs = 5
const fewBoards = 1000

/** Caches live records by id and by MAC, loaded from the database when a board speaks or is asked for. */
export function createDeviceRegistry(deps: Parameters<typeof createDeviceReader>[0], clock: Pick<Clock, 'monotonic'>) {
  const reader = createDeviceReader(deps)
  const byId = new Map<string, LiveDevice>()
  const byMac = new Map<string, LiveDevice>()
  const loading = new Map<string, Promise<LiveDevice | null>>()
  const reads = createKeptReads(reader.readMany)
  const readTogether = loadTogether(
    async (ids) => new Map((await reader.readMany(ids)).map((device) => [device.id, device])),
    { gatherMs }
  )
  // A client that tries MACs costs one read for many; a tap does not wait.
  const readTogetherByMac = loadInTurn(
    async (macs) => new Map((await reader.readManyByMac(macs)).map((device) => [device.mac, device]))
  )
  /** Boards on open screens are kept in memory: updates to them are compared with the known state. */
  const keepers: ((device: LiveDevice) => boolean)[] = []

  /** Listeners that may know newer state of a board than the database had when it was read. */
  const loaders: ((device: LiveDevice) => void)[] = []

  /** A record already in memory wins, because its board may have spoken while the other was read. */
  function remember(device: LiveDevice): LiveDevice {
    const known = byId.get(device.id)
    if (known !== undefined) return known
    for (const listener of loaders) listener(device)
    device.usedAt = clock.monotonic()
    byId.set(device.id, device)
    byMac.set(device.mac, device)
    return device
  }

  function used(device: LiveDevice | undefined): LiveDevice | undefined {
    if (device !== undefined) device.usedAt = clock.monotonic()
    return device
  }

  function forget(id: string): void {
    reads.forget(id)
    const known = byId.get(id)
    if (known === undefined) return
    byId.delete(id)
    byMac.delete(known.mac)
  }

  /** Shares one read between concurrent callers. */
  function readOnce(key: string, read: () => Promise<LiveDevice | null>): Promise<LiveDevice | null> {
    const running = loading.get(key)
    if (running !== undefined) return running
    const reading = reads.keepOne(read, remember).finally(() => loading.delete(key))
    loading.set(key, reading)
    return reading
  }

  /** Waits for boards that are being looked up already: whoever asked first, such as for their message, goes first. */
  async function missingOf(ids: readonly string[]): Promise<string[]> {
    const lookups = ids.flatMap((id) => loading.get(id) ?? [])
    if (lookups.length > 0) await Promise.allSettled(lookups)
    return ids.filter((id) => !byId.has(id))
  }

  /** Returns boards in the order asked for, without those that do not exist. */
  async function findMany(ids: readonly string[]): Promise<Map<string, LiveDevice>> {
    const missing = await missingOf(ids)
    if (missing.length > 0) await reads.keep(() => reader.readMany(missing), remember)
    const found = new Map<string, LiveDevice>()
    for (const id of ids) {
      const device = used(byId.get(id))
      if (device !== undefined) found.set(id, device)
    }
    return found
  }

  const { refresh, reread } = createDeviceRefresh({ reader, reads, readTogether, byId, remember, forget })

  return {
    /** Returns the record in memory, and marks it as used; undefined means unknown here, not absent. */
    peek: (id: string): LiveDevice | undefined => used(byId.get(id)),
    /** Returns the record in memory without marking it as used, so that it may still be evicted. */
    known: (id: string): LiveDevice | undefined => byId.get(id),
    peekByMac: (mac: string): LiveDevice | undefined => used(byMac.get(mac)),
    find: (id: string): Promise<LiveDevice | null> => {
      const known = used(byId.get(id))
      return known === undefined ? readOnce(id, () => readTogether(id)) : Promise.resolve(known)
    },
    findByMac: (mac: string): Promise<LiveDevice | null> => {
      const known = used(byMac.get(mac))
      return known === undefined ? readOnce(mac, () => readTogetherByMac(mac)) : Promise.resolve(known)
    },
    refresh,
    /** Refreshes every board in memory, one after the other. */
    async refreshAll(): Promise<void> {
      for (const id of byId.keys()) await refresh(id)
    },
    reread,
    /** Does so for every board in memory, and for those whose read is under way. */
    async rereadAll(): Promise<void> {
      await Promise.allSettled(loading.values())
      await reread([...byId.values()])
    },
    forget,
    findMany,
    /** Loads all boards with one read if they are few: after a restart, the boards of a home reconnect together. */
    async readFew(): Promise<void> {
      for (const device of await reader.readFew(fewBoards)) remember(device)
    },
    /** Returns every board of one account. */
    ofUser: async (userId: string): Promise<LiveDevice[]> => [
      ...(await findMany(await reader.findIdsOfUser(userId))).values()
    ],
    findIdsByName: reader.findIdsByName,
    /** Counts the boards stored as online. */
    countOnline: reader.countOnline,
    /** Yields the ids of boards stored as online, in batches. */
    idsOnline: reader.idsOnline,
    /** Registers a listener that is called with each board loaded into memory, before any caller gets it. */
    onLoad: (listener: (device: LiveDevice) => void): void => void loaders.push(listener),
    /** Keeps boards in memory while the condition holds for them, whether they speak or not. */
    keepWhile: (isNeeded: (device: LiveDevice) => boolean): void => void keepers.push(isNeeded),
    /** Returns boards that have been unused for a while; they are loaded again on demand. */
    unused(): LiveDevice[] {
      const before = clock.monotonic() - unusedMs
      return [...byId.values()].filter(
        (device) => device.usedAt < before && !keepers.some((isNeeded) => isNeeded(device))
      )
    },
    all: (): Iterable<LiveDevice> => byId.values()
  }
}
export type DeviceRegistry = ReturnType<typeof createDeviceRegistry>
