import { statesToWire, withStates } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { loadTogether } from '../../platform/store/load-together.ts'
import { createDeviceReader } from './device-reader.ts'
import type { LiveDevice } from './live-device.ts'

/** Who was not asked for during this time is forgotten: longer than any board repeats a report that it holds. */
const unusedMs = 10 * 60_000
/** A street that gets its power back asks for its boards together. */
const gatherMs = 5
const readAtOnce = 500
const fewBoards = 1000

/** Live records by id and by MAC, loaded from the database when they speak or are asked for. */
export function createDeviceRegistry(deps: Parameters<typeof createDeviceReader>[0], clock: Pick<Clock, 'monotonic'>) {
  const reader = createDeviceReader(deps)
  const byId = new Map<string, LiveDevice>()
  const byMac = new Map<string, LiveDevice>()
  const loading = new Map<string, Promise<LiveDevice | null>>()
  const readTogether = loadTogether(
    async (ids) => new Map((await reader.readMany(ids)).map((device) => [device.id, device])),
    { gatherMs }
  )
  /** Whose screens are open here: what is told of those is held against what is known. */
  const keepers: ((device: LiveDevice) => boolean)[] = []

  /** Who knows more of a board than the database did when it was read. */
  const loaders: ((device: LiveDevice) => void)[] = []

  /** The record in memory stays the one: its board may have spoken while another was read. */
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
    const known = byId.get(id)
    if (known === undefined) return
    byId.delete(id)
    byMac.delete(known.mac)
  }

  /** Two askers at once share one read. */
  function readOnce(key: string, read: () => Promise<LiveDevice | null>): Promise<LiveDevice | null> {
    const running = loading.get(key)
    if (running !== undefined) return running
    const reading = read()
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
      const device = used(byId.get(id))
      if (device !== undefined) found.set(id, device)
    }
    return found
  }

  /** Reads again what others changed (owner, names); what the board said stays. */
  async function refresh(id: string): Promise<LiveDevice | null> {
    const known = byId.get(id)
    if (known === undefined) return readOnce(id, () => readTogether(id))
    const fresh = await reader.readOne({ _id: id })
    if (fresh === null) {
      forget(id)
      return null
    }
    return adoptSettings(known, fresh)
  }

  return {
    /** What is in memory now; undefined means unknown here, not absent. */
    peek: (id: string): LiveDevice | undefined => used(byId.get(id)),
    /** The same, and nobody needs it: it may be forgotten. */
    known: (id: string): LiveDevice | undefined => byId.get(id),
    peekByMac: (mac: string): LiveDevice | undefined => used(byMac.get(mac)),
    find: (id: string): Promise<LiveDevice | null> => {
      const known = used(byId.get(id))
      return known === undefined ? readOnce(id, () => readTogether(id)) : Promise.resolve(known)
    },
    findByMac: (mac: string): Promise<LiveDevice | null> => {
      const known = used(byMac.get(mac))
      return known === undefined ? readOnce(mac, () => reader.readOne({ deviceMac: mac })) : Promise.resolve(known)
    },
    refresh,
    /** The same of every board in memory, one after the other. */
    async refreshAll(): Promise<void> {
      for (const id of byId.keys()) await refresh(id)
    },
    /** What others stored meanwhile is taken where it is newer than what is known. Answers those that are gone. */
    async reread(known: readonly LiveDevice[]): Promise<LiveDevice[]> {
      const gone: LiveDevice[] = []
      for (let from = 0; from < known.length; from += readAtOnce) {
        const part = known.slice(from, from + readAtOnce)
        const found = new Map((await reader.readMany(part.map(({ id }) => id))).map((fresh) => [fresh.id, fresh]))
        for (const device of part) {
          const fresh = found.get(device.id)
          if (fresh === undefined) gone.push(device)
          else adoptStored(device, fresh)
        }
      }
      return gone
    },
    forget,
    findMany,
    /** Boards of a home come back together when it starts: where they are few, one read has them all. */
    async readFew(): Promise<void> {
      for (const device of await reader.readFew(fewBoards)) remember(device)
    },
    /** Every board of one account. */
    ofUser: async (userId: string): Promise<LiveDevice[]> => [
      ...(await findMany(await reader.findIdsOfUser(userId))).values()
    ],
    findIdsByName: reader.findIdsByName,
    /** How many the database holds online. */
    countOnline: reader.countOnline,
    /** Ids of boards that the database holds online, a batch at a time. */
    idsOnline: reader.idsOnline,
    /** Called with each board that is read into memory, before anybody has it. */
    onLoad: (listener: (device: LiveDevice) => void): void => void loaders.push(listener),
    /** What stays in memory for as long as that is true of it, whether it speaks or not. */
    keepWhile: (isNeeded: (device: LiveDevice) => boolean): void => void keepers.push(isNeeded),
    /** Boards that nobody has needed for a while; they are loaded again when they speak or are asked for. */
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

/** What people set; the outlets are as the board said. */
function adoptSettings(known: LiveDevice, fresh: LiveDevice): LiveDevice {
  const { userId, roomId, deviceName, setName, timezone, configRev, schedulesRev } = fresh
  const outlets = withStates(fresh.outlets, statesToWire(known.outlets))
  return Object.assign(known, { userId, roomId, deviceName, setName, timezone, outlets, configRev, schedulesRev })
}

/** What people set is in the database first; what the board said may be ahead of it. */
function adoptStored(known: LiveDevice, fresh: LiveDevice): void {
  const isNewer = fresh.bootId === known.bootId ? fresh.seq > known.seq : !known.earlierBoots.includes(fresh.bootId)
  adoptSettings(known, fresh)
  if (isNewer) {
    known.outlets = fresh.outlets
    const { bootId, seq, earlierBoots, conn, stateAt, configConfirmedRev, schedulesConfirmedRev } = fresh
    Object.assign(known, { bootId, seq, earlierBoots, conn, stateAt, configConfirmedRev, schedulesConfirmedRev })
  }
  if (fresh.onlineChangedAt > known.onlineChangedAt) {
    known.isOnline = fresh.isOnline
    known.onlineChangedAt = fresh.onlineChangedAt
  }
}
