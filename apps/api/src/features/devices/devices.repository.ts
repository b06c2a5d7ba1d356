import type { DeviceFilter } from '@batti/contracts'
import { Types, type Model, type QueryFilter } from 'mongoose'
import { isDuplicateKey } from '../../platform/store/database.ts'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { findSortedPage, joinField } from '../../platform/store/sorted-page.ts'
import type { DeviceDocument, DeviceInput } from '../../boards/registry/device.model.ts'

/** The contracts' filter, and whose boards at all. */
export type BoardFilter = DeviceFilter & {
  /** Owners who match the search. */
  orOwners?: readonly string[]
  /** Rooms that match the search. */
  orRooms?: readonly string[]
}

const byOwner = (field: string) => joinField('users', 'userId', `$_joined.${field}`, '_byOwner')
const byRoom = joinField('rooms', 'setRoom', '$_joined.roomName', '_byRoom')
const joins: Readonly<Record<string, ReturnType<typeof joinField>>> = {
  owner: byOwner('name'),
  userId: byOwner('name'),
  phone: byOwner('phone'),
  email: byOwner('email'),
  room: byRoom,
  setRoom: byRoom
}
const sortFields: Readonly<Record<string, string>> = {
  owner: '_byOwner',
  userId: '_byOwner',
  phone: '_byOwner',
  email: '_byOwner',
  room: '_byRoom',
  setRoom: '_byRoom',
  health: 'healthScore'
}

/** What the filter of lists, rollouts and bulk changes means in the database. */
export function boardsWhere(filter: BoardFilter): QueryFilter<DeviceDocument> {
  const { status, health, hwModel, osVersion, roomId, userId, label } = filter
  const text = filter.search?.trim() ?? ''
  const mac = /^[0-9a-f:.-]{4,}$/i.test(text) ? text.replaceAll(/[:.-]/g, '').toUpperCase() : ''
  const pattern = containsText(text)
  const anyOf: QueryFilter<DeviceDocument>[] = [
    ...['deviceName', 'setName', 'deviceMac', 'deviceCode'].map((field) => ({ [field]: pattern })),
    ...(mac.length < 4 ? [] : [{ deviceMac: new RegExp(mac.split('').join(':?')) }]),
    ...(/^[0-9a-f]{24}$/i.test(text) ? [{ _id: text }] : []),
    { userId: { $in: [...(filter.orOwners ?? [])] } },
    { setRoom: { $in: [...(filter.orRooms ?? [])] } }
  ]
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(roomId === undefined ? {} : { setRoom: roomId }),
    ...(status === undefined ? {} : { isOnline: status === 'online' }),
    ...(health === undefined ? {} : { healthReasons: health }),
    ...(hwModel === undefined ? {} : { hwModel }),
    ...(osVersion === undefined ? {} : { osVersion }),
    ...(label === undefined ? {} : { labels: label }),
    ...(text === '' ? {} : { $or: anyOf })
  }
}

/** Storage verbs of boards; absence is null. */
export function createDevicesRepository(model: Model<DeviceDocument>) {
  return {
    async list(
      filter: BoardFilter,
      sort: string | undefined,
      page: Page
    ): Promise<{ devices: DeviceDocument[]; total: number }> {
      const usual = { createdAt: filter.userId === undefined ? (-1 as const) : (1 as const) }
      const order = orderOf(sort, usual, sortFields)
      const found = await findSortedPage(model, boardsWhere(filter), {
        order,
        page,
        joins: joins[sort?.replace(/^-/, '') ?? '']
      })
      return { devices: found.rows, total: found.total }
    },
    findById: (id: string) => model.findById(id).lean<DeviceDocument>(),
    findByMac: (deviceMac: string) => model.findOne({ deviceMac }).lean<DeviceDocument>(),
    findManyByIds: (ids: readonly string[]) => model.find({ _id: { $in: ids } }).lean<DeviceDocument[]>(),
    countOfUser: (userId: string) => model.countDocuments({ userId }),
    findAllOfUser: (userId: string) => model.find({ userId }).lean<DeviceDocument[]>(),
    /** Null when a board with that MAC exists already. */
    async insertUnlessTaken(fields: DeviceInput): Promise<DeviceDocument | null> {
      try {
        return (await model.create(withReferences(fields))).toObject()
      } catch (error) {
        if (isDuplicateKey(error)) return null
        throw error
      }
    },
    update: (id: string, fields: DeviceInput) =>
      model.findByIdAndUpdate(id, { $set: withReferences(fields) }, { returnDocument: 'after' }).lean<DeviceDocument>(),
    /** Settings that the board must be told: their revision counts up with them. */
    updateSettings: (id: string, fields: DeviceInput) =>
      model
        .findByIdAndUpdate(id, { $set: withReferences(fields), $inc: { configRev: 1 } }, { returnDocument: 'after' })
        .lean<DeviceDocument>(),
    /** Only while nobody owns it: two claims of one board at once cannot both succeed. */
    claim: (id: string, fields: DeviceInput) =>
      model
        .findOneAndUpdate({ _id: id, userId: null }, { $set: withReferences(fields) }, { returnDocument: 'after' })
        .lean<DeviceDocument>(),
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    }
  }
}
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
