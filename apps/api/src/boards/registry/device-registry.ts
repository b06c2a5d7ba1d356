import { outletsFromWire, statesToWire, withStates } from '@batti/contracts'
import type { Model } from 'mongoose'
import type { DeviceDocument } from './device.model.ts'
import type { SwitchDocument } from './switch.model.ts'
import { containsText } from '../../platform/paging.ts'
import type { LiveDevice } from './live-device.ts'

/** Live records by id and by MAC, loaded from the database when first asked for. */
export function createDeviceRegistry(models: { devices: Model<DeviceDocument>; switches: Model<SwitchDocument> }) {
  const byId = new Map<string, LiveDevice>()
  const byMac = new Map<string, LiveDevice>()
  const loading = new Map<string, Promise<LiveDevice | null>>()

  function remember(device: LiveDevice): LiveDevice {
    byId.set(device.id, device)
    byMac.set(device.mac, device)
    return device
  }

  async function read(filter: { _id: string } | { deviceMac: string }): Promise<LiveDevice | null> {
    const document = await models.devices.findOne(filter).lean<DeviceDocument>()
    if (document === null) return null
    const known = byId.get(String(document._id))
    if (known !== undefined) return known
    const switches = await models.switches.find({ deviceId: document._id }).lean<SwitchDocument[]>()
    return byId.get(String(document._id)) ?? remember(toLive(document, switches))
  }

  /** Two askers at once share one read. */
  function readOnce(key: string, filter: Parameters<typeof read>[0]): Promise<LiveDevice | null> {
    const running = loading.get(key)
    if (running !== undefined) return running
    const reading = read(filter).finally(() => loading.delete(key))
    loading.set(key, reading)
    return reading
  }

  async function rememberAll(documents: readonly DeviceDocument[]): Promise<void> {
    const switches = await models.switches
      .find({ deviceId: { $in: documents.map(({ _id }) => _id) } })
      .lean<SwitchDocument[]>()
    const byDevice = Map.groupBy(switches, ({ deviceId }) => String(deviceId))
    for (const document of documents) {
      const id = String(document._id)
      if (!byId.has(id)) remember(toLive(document, byDevice.get(id) ?? []))
    }
  }

  /** In the order asked for; what does not exist is left out. */
  async function findMany(ids: readonly string[]): Promise<Map<string, LiveDevice>> {
    const missing = ids.filter((id) => !byId.has(id))
    if (missing.length > 0)
      await rememberAll(await models.devices.find({ _id: { $in: missing } }).lean<DeviceDocument[]>())
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
      const document = await models.devices.findById(id).lean<DeviceDocument>()
      if (document === null) {
        byId.delete(id)
        byMac.delete(known.mac)
        return null
      }
      const switches = await models.switches.find({ deviceId: document._id }).lean<SwitchDocument[]>()
      const fresh = toLive(document, switches)
      const { userId, roomId, deviceName, setName, timezone, configRev, schedulesRev } = fresh
      const outlets = withStates(fresh.outlets, statesToWire(known.outlets))
      return Object.assign(known, {
        userId,
        roomId,
        deviceName,
        setName,
        timezone,
        outlets,
        configRev,
        schedulesRev
      })
    },
    forget(id: string): void {
      const known = byId.get(id)
      if (known === undefined) return
      byId.delete(id)
      byMac.delete(known.mac)
    },
    findMany,
    /** Every board of one account. */
    async ofUser(userId: string): Promise<LiveDevice[]> {
      const owned = await models.devices
        .find({ userId }, { _id: 1 })
        .sort({ createdAt: 1 })
        .lean<Pick<DeviceDocument, '_id'>[]>()
      return [...(await findMany(owned.map(({ _id }) => String(_id)))).values()]
    },
    /** Ids of boards whose name contains the text, 1000 at most. */
    async findIdsByName(search: string): Promise<string[]> {
      const text = containsText(search)
      const found = await models.devices
        .find({ $or: [{ deviceName: text }, { setName: text }] }, { _id: 1 })
        .limit(1000)
        .lean<Pick<DeviceDocument, '_id'>[]>()
      return found.map(({ _id }) => String(_id))
    },
    /** Boards that the database holds online when this process starts: they must show signs of life. */
    async loadOnline(): Promise<void> {
      const documents = await models.devices.find({ isOnline: true }).lean<DeviceDocument[]>()
      await rememberAll(documents)
    },
    all: (): Iterable<LiveDevice> => byId.values()
  }
}
export type DeviceRegistry = ReturnType<typeof createDeviceRegistry>

function toLive(document: DeviceDocument, switches: readonly SwitchDocument[]): LiveDevice {
  const outlets = outletsFromWire(document).map((outlet, index) => {
    const record = switches.find(({ switchIndex }) => switchIndex === index)
    return {
      ...outlet,
      switchId: record === undefined ? '' : String(record._id),
      name: record?.switchName ?? `Switch ${index + 1}`
    }
  })
  return {
    id: String(document._id),
    mac: document.deviceMac,
    userId: document.userId === null ? null : String(document.userId),
    roomId: document.setRoom === null ? null : String(document.setRoom),
    deviceName: document.deviceName,
    setName: document.setName,
    timezone: document.timezone,
    outlets,
    bootId: document.bootId,
    seq: document.seq,
    earlierBoots: [...document.earlierBoots],
    conn: 0,
    stateAt: document.stateAt,
    isOnline: document.isOnline,
    onlineChangedAt: document.onlineChangedAt?.getTime() ?? 0,
    lastMessageAt: document.lastSeen?.getTime() ?? 0,
    heardAt: 0,
    configRev: document.configRev,
    configConfirmedRev: document.configConfirmedRev,
    schedulesRev: document.schedulesRev,
    schedulesConfirmedRev: document.schedulesConfirmedRev
  }
}
