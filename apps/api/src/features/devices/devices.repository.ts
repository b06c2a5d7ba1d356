import type { DeviceFilter } from '@batti/contracts'
import { Types, type Model, type QueryFilter } from 'mongoose'
import { isDuplicateKey } from '../../platform/store/database.ts'
import { containsText, orderOf, type Page, type SortOrder } from '../../platform/paging.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { hasKey, type TextSearch } from '../../platform/store/lists/search-keys.ts'
import { findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import { macPattern, macSignsOf } from '../../boards/registry/mac-text.ts'
import { configStep } from '../../boards/registry/increment-revision.ts'
import { namedFields, type DeviceDocument, type DeviceInput } from '../../boards/registry/device.model.ts'

/** The contracts' filter, plus the owners and rooms that its search matches; null if there are too many. */
export type BoardFilter = DeviceFilter & {
  /** Owners that match the search. */
  orOwners?: readonly unknown[] | null
  /** Rooms that match the search. */
  orRooms?: readonly unknown[] | null
}

const sortFields: Readonly<Record<string, string>> = {
  owner: 'list.owner',
  userId: 'list.owner',
  phone: 'list.phone',
  email: 'list.email',
  room: 'list.room',
  setRoom: 'list.room',
  osVersion: 'list.version',
  health: 'healthScore'
}

/** Boards that are online come after all others: when they were last heard is stored only now and then. */
function heardLast(order: SortOrder): SortOrder {
  const { lastSeen } = order
  return lastSeen === undefined ? order : { isOnline: lastSeen, ...order }
}

/** Returns the database condition for the filter of lists, rollouts and bulk changes, without its search. */
function conditionOf(filter: BoardFilter): QueryFilter<DeviceDocument> {
  const { status, health, hwModel, osVersion, roomId, userId, label } = filter
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(roomId === undefined ? {} : { setRoom: roomId }),
    ...(status === undefined ? {} : { isOnline: status === 'online' }),
    ...(health === undefined ? {} : { healthReasons: health }),
    // Reasons are stored a moment after a board's first contact, the contact itself at once.
    ...(health === 'never-seen' ? { lastSeen: null } : {}),
    ...(hwModel === undefined ? {} : { hwModel }),
    ...(osVersion === undefined ? {} : { osVersion }),
    ...(label === undefined ? {} : { labels: label })
  }
}

function searchOf(filter: BoardFilter): TextSearch | undefined {
  const text = filter.search?.trim() ?? ''
  if (text === '') return undefined
  const { orOwners = [], orRooms = [] } = filter
  // A text that could be part of a MAC is searched as both name and MAC.
  const mac = macSignsOf(text)
  const byMac = mac === '' ? [] : [hasKey('deviceMac', mac)]
  const readMac = mac === '' ? [] : [{ deviceMac: macPattern(mac) }]
  const byId = /^[0-9a-f]{24}$/i.test(text) ? [{ _id: new Types.ObjectId(text) }] : []
  const named = [
    ...((orOwners ?? []).length === 0 ? [] : [{ userId: { $in: orOwners ?? [] } }]),
    ...((orRooms ?? []).length === 0 ? [] : [{ setRoom: { $in: orRooms ?? [] } }])
  ]
  const columns = filter.userId === undefined ? ['list.owner', 'list.email', 'list.phone', 'list.room'] : ['list.room']
  return {
    byKeys:
      orOwners === null || orRooms === null
        ? null
        : [...namedFields.map((field) => hasKey(field, text)), ...byMac, ...byId, ...named],
    byReading: [
      ...[...namedFields, ...columns].map((field) => ({ [field]: containsText(text) })),
      ...readMac,
      ...byId,
      ...named
    ]
  }
}

/** Storage operations of boards; null if absent. */
export function createDevicesRepository(model: Model<DeviceDocument>, columns: ListColumns) {
  /** Returns the updated board; null if the condition matches none. */
  async function update(
    condition: QueryFilter<DeviceDocument>,
    fields: DeviceInput,
    change: object
  ): Promise<DeviceDocument | null> {
    const isListed = ['userId', 'setRoom', 'setName', 'osVersion'].some((field) => field in fields)
    const before = isListed ? await model.findOne(condition, { userId: 1, setRoom: 1 }).lean<DeviceDocument>() : null
    const after = await model.findOneAndUpdate(condition, change, { returnDocument: 'after' }).lean<DeviceDocument>()
    if (after !== null && before !== null) await columns.boardsChanged({ ids: [after._id] }, [before])
    return after
  }

  return {
    async list(
      filter: BoardFilter,
      sort: string | undefined,
      page: Page,
      isUncounted: boolean
    ): Promise<{ devices: DeviceDocument[]; total: number }> {
      const usual = { createdAt: filter.userId === undefined ? (-1 as const) : (1 as const) }
      const order = heardLast(orderOf(sort, usual, sortFields))
      const search = searchOf(filter)
      const found = await findSortedPage(model, conditionOf(filter), { order, page, search, isUncounted })
      return { devices: found.rows, total: found.total }
    },
    /** Returns the complete condition of a filter, for rollouts and bulk changes. */
    matching(filter: BoardFilter): QueryFilter<DeviceDocument> {
      const search = searchOf(filter)
      return search === undefined
        ? conditionOf(filter)
        : { $and: [conditionOf(filter), { $or: [...search.byReading] }] }
    },
    findById: (id: string) => model.findById(id).lean<DeviceDocument>(),
    findByMac: (deviceMac: string) => model.findOne({ deviceMac }).lean<DeviceDocument>(),
    findManyByIds: (ids: readonly string[]) => model.find({ _id: { $in: ids } }).lean<DeviceDocument[]>(),
    countOfUser: (userId: string) => model.countDocuments({ userId }),
    findAllOfUser: (userId: string) => model.find({ userId }).lean<DeviceDocument[]>(),
    /** Returns null if a board with that MAC already exists. */
    async insertUnlessTaken(fields: DeviceInput): Promise<DeviceDocument | null> {
      try {
        const created = (await model.create(withReferences(fields))).toObject()
        await columns.boardsChanged({ ids: [created._id] })
        return created
      } catch (error) {
        if (isDuplicateKey(error)) return null
        throw error
      }
    },
    /** Applies only while the owner is that user. */
    updateOf: ({ id, userId }: { id: string; userId: string | null }, fields: DeviceInput) =>
      update({ _id: id, userId }, fields, { $set: withReferences(fields) }),
    /** Applies only while the owner is unchanged. Increments the settings revision if the board must be told. */
    change: (board: BoardToChange, fields: DeviceInput, notifiesBoard: boolean) =>
      update({ _id: board._id, userId: board.userId }, fields, {
        $set: withReferences(fields),
        ...(notifiesBoard ? { $inc: { configRev: configStep(board) } } : {})
      }),
    /** Applies only while nobody owns the board, so that two concurrent claims cannot both succeed. */
    claim: (id: string, fields: DeviceInput) =>
      update({ _id: id, userId: null }, fields, { $set: withReferences(fields) }),
    async delete(id: string): Promise<boolean> {
      const gone = await model.findByIdAndDelete(id).lean<DeviceDocument>()
      if (gone === null) return false
      await columns.boardsChanged({ ids: [] }, [gone])
      return true
    }
  }
}
type BoardToChange = Pick<DeviceDocument, '_id' | 'userId' | 'configRev' | 'configConfirmedRev'>
export type DevicesRepository = ReturnType<typeof createDevicesRepository>

function withReferences({ userId, setRoom, createdBy, updatedBy, ...fields }: DeviceInput): Partial<DeviceDocument> {
  const document: Partial<DeviceDocument> = { ...fields }
  if (userId !== undefined) document.userId = reference(userId)
  if (setRoom !== undefined) document.setRoom = reference(setRoom)
  if (createdBy !== undefined) document.createdBy = reference(createdBy)
  if (updatedBy !== undefined) document.updatedBy = reference(updatedBy)
  return document
}

const reference = (id: string | null): Types.ObjectId | null => (id === null ? null : new Types.ObjectId(id))
