import type { DeviceFilter } from '@batti/contracts'
import type { Model, QueryFilter } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { clocksApartMs } from '../../platform/clocks-apart.ts'
import { commandMax, inBatches } from '../../platform/store/batches/in-batches.ts'
import { inPages } from '../../platform/store/batches/in-pages.ts'
import { hasKey } from '../../platform/store/lists/search-keys.ts'

/** The fields of a board that decide about its update. */
export type Board = Pick<
  DeviceDocument,
  | '_id'
  | 'deviceMac'
  | 'deviceName'
  | 'setName'
  | 'hwModel'
  | 'osVersion'
  | 'bootId'
  | 'osBootId'
  | 'conn'
  | 'isOnline'
  | 'onlineChangedAt'
  | 'timezone'
  | 'switch'
  | 'userId'
  | 'configConfirmedRev'
  | 'schedulesRev'
  | 'schedulesConfirmedRev'
  | 'labels'
  | 'pinnedVersion'
  | 'wifiRSSI'
>

/** Returns when a board came online or went offline; 0 if that is not known, or was recorded by a clock that was ahead. */
export function onlineChangedBefore({ onlineChangedAt }: Pick<Board, 'onlineChangedAt'>, now: number): number {
  const at = onlineChangedAt?.getTime() ?? 0
  return at > now + clocksApartMs ? 0 : at
}

const fields = {
  deviceMac: 1,
  deviceName: 1,
  setName: 1,
  hwModel: 1,
  osVersion: 1,
  bootId: 1,
  osBootId: 1,
  conn: 1,
  isOnline: 1,
  onlineChangedAt: 1,
  timezone: 1,
  switch: 1,
  userId: 1,
  configConfirmedRev: 1,
  schedulesRev: 1,
  schedulesConfirmedRev: 1,
  labels: 1,
  pinnedVersion: 1,
  wifiRSSI: 1
} as const

/** The boards, as rollouts use them. */
export function createBoardsRepository(
  model: Model<DeviceDocument>,
  /** Returns the database condition of a board filter. */
  matching: (filter: DeviceFilter) => Promise<QueryFilter<DeviceDocument>>,
  /** Returns what the board reported since it was last stored. */
  unstoredState: (deviceId: string) => Partial<DeviceDocument> | undefined
) {
  // A board that has just come online may still be stored as offline, and would be skipped for a long time.
  const asItIs = (board: Board): Board => ({ ...board, ...unstoredState(String(board._id)) })
  const read = async (condition: QueryFilter<DeviceDocument>): Promise<Board[]> =>
    (await model.find(condition, fields).lean<Board[]>()).map(asItIs)
  const readOne = async (condition: QueryFilter<DeviceDocument>): Promise<Board | null> =>
    (await read(condition))[0] ?? null

  /** Counts the boards with these ids that also meet the condition. */
  async function countOf(ids: readonly string[], condition: QueryFilter<DeviceDocument>): Promise<number> {
    let count = 0
    for (const batch of inBatches(ids)) count += await model.countDocuments({ ...condition, _id: { $in: batch } })
    return count
  }

  /** Reads in pages: all boards may take longer than one call allows, and commands are handled in between. */
  async function* pagesOf(filter: DeviceFilter): AsyncGenerator<Board[]> {
    const condition = await matching(filter)
    for await (const page of inPages<DeviceDocument, keyof Board>(model, condition, fields, commandMax))
      yield page.map(asItIs)
  }

  return {
    pagesOf,
    async findByIds(ids: readonly string[]): Promise<Board[]> {
      const found: Board[] = []
      for (const batch of inBatches(ids)) found.push(...(await read({ _id: { $in: batch } })))
      return found
    },
    /** Returns the ids of boards whose name, as in `namesOf`, contains the text. */
    async idsNamed(text: string): Promise<DeviceDocument['_id'][]> {
      const unnamed = { $and: [{ setName: '' }, hasKey('deviceName', text)] }
      const ids: DeviceDocument['_id'][] = []
      for await (const page of inPages(model, { $or: [hasKey('setName', text), unnamed] }, {}))
        ids.push(...page.map(({ _id }) => _id))
      return ids
    },
    /** Returns the name that its owner gave each board, else the name of its model. */
    async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
      const names = new Map<string, string>()
      for (const batch of inBatches(ids)) {
        const found = await model
          .find({ _id: { $in: batch } }, { setName: 1, deviceName: 1 })
          .lean<Pick<DeviceDocument, '_id' | 'setName' | 'deviceName'>[]>()
        for (const { _id, setName, deviceName } of found) names.set(String(_id), setName.trim() || deviceName)
      }
      return names
    },
    findById: (id: string) => readOne({ _id: id }),
    findByMac: (deviceMac: string) => readOne({ deviceMac }),
    async findByFilter(filter: DeviceFilter): Promise<Board[]> {
      const found: Board[] = []
      for await (const page of pagesOf(filter)) found.push(...page)
      return found
    },
    /** Counts those of the boards that have been offline since before that moment, or since a time ahead of now. */
    countGone: (ids: readonly string[], { since, now }: { since: Date; now: number }) =>
      countOf(ids, {
        isOnline: false,
        $or: [{ onlineChangedAt: { $lte: since } }, { onlineChangedAt: { $gt: new Date(now + clocksApartMs) } }]
      }),
    countOnline: (ids: readonly string[]) => countOf(ids, { isOnline: true })
  }
}
export type BoardsRepository = ReturnType<typeof createBoardsRepository>
