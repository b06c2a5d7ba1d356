import { outletsFromWire } from '@batti/contracts'
import type { Model } from 'mongoose'
import { hasKey } from '../../platform/store/lists/search-keys.ts'
import { findIds } from '../../platform/store/lists/sorted-page.ts'
import type { DeviceDocument } from './device.model.ts'
import type { LiveDevice } from './live-device.ts'
import type { SwitchDocument } from './switch.model.ts'

/** Small enough that other calls run in between. */
const idsAtOnce = 500

/** Reads boards and their switches from the database as live records. */
export function createDeviceReader(deps: {
  devices: Model<DeviceDocument>
  switches: Model<SwitchDocument>
  /** Returns what the board reported since it was last stored. */
  unstoredState(deviceId: string): Partial<DeviceDocument> | undefined
}) {
  const { devices, switches, unstoredState } = deps

  /** Call before and after other reads: meanwhile what was not stored may be stored, and the board may report anew. */
  const asItIs = (document: DeviceDocument): DeviceDocument => ({
    ...document,
    ...unstoredState(String(document._id))
  })

  async function readMany(filter: object): Promise<LiveDevice[]> {
    const documents = (await devices.find(filter).lean<DeviceDocument[]>()).map(asItIs)
    const records = await switches.find({ deviceId: { $in: documents.map(({ _id }) => _id) } }).lean<SwitchDocument[]>()
    const byDevice = Map.groupBy(records, ({ deviceId }) => String(deviceId))
    return documents.map((document) => toLive(asItIs(document), byDevice.get(String(document._id)) ?? []))
  }

  return {
    async readOne(filter: { _id: string }): Promise<LiveDevice | null> {
      const found = await devices.findOne(filter).lean<DeviceDocument>()
      if (found === null) return null
      const document = asItIs(found)
      const records = await switches.find({ deviceId: document._id }).lean<SwitchDocument[]>()
      return toLive(asItIs(document), records)
    },
    readMany: (ids: readonly string[]): Promise<LiveDevice[]> => readMany({ _id: { $in: ids } }),
    readManyByMac: (macs: readonly string[]): Promise<LiveDevice[]> => readMany({ deviceMac: { $in: macs } }),
    /** Returns all boards if there are at most `most`; otherwise none. */
    readFew: async (most: number): Promise<LiveDevice[]> =>
      (await devices.estimatedDocumentCount()) > most ? [] : readMany({}),
    countOnline: (): Promise<number> => devices.countDocuments({ isOnline: true }).exec(),
    /** Yields the ids of boards stored as online, in batches. */
    async *idsOnline(): AsyncGenerator<string[]> {
      for (let after: DeviceDocument['_id'] | null = null; ;) {
        const found: Pick<DeviceDocument, '_id'>[] = await devices
          .find({ isOnline: true, ...(after === null ? {} : { _id: { $gt: after } }) }, { _id: 1 })
          .sort({ _id: 1 })
          .limit(idsAtOnce)
          .lean<Pick<DeviceDocument, '_id'>[]>()
        after = found.at(-1)?._id ?? null
        if (after === null) return
        yield found.map(({ _id }) => String(_id))
      }
    },
    /** Returns the ids of every board of one account, in the order of their creation. */
    async findIdsOfUser(userId: string): Promise<string[]> {
      const owned = await devices
        .find({ userId }, { _id: 1 })
        .sort({ createdAt: 1 })
        .lean<Pick<DeviceDocument, '_id'>[]>()
      return owned.map(({ _id }) => String(_id))
    },
    /** Returns the ids of boards whose name contains the text; null when there are too many to list. */
    findIdsByName: async (search: string): Promise<string[] | null> =>
      (
        await findIds(devices, {
          byKeys: [hasKey('deviceName', search.trim()), hasKey('setName', search.trim())]
        })
      )?.map(String) ?? null
  }
}

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
    conn: document.conn ?? 0,
    stateAt: document.stateAt,
    isOnline: document.isOnline,
    onlineChangedAt: document.onlineChangedAt?.getTime() ?? 0,
    connectedAt: null,
    lastMessageAt: document.lastSeen?.getTime() ?? 0,
    heardAt: 0,
    usedAt: 0,
    osVersion: document.osVersion,
    localIp: document.localIp,
    wifiRSSI: document.wifiRSSI,
    signalStoredAt: -Infinity,
    configRev: document.configRev,
    configConfirmedRev: document.configConfirmedRev,
    schedulesRev: document.schedulesRev,
    schedulesConfirmedRev: document.schedulesConfirmedRev
  }
}
