import type { PageQuery, RoomRecord } from '@batti/contracts'
import { isStaff, refuseOthers, type Actor } from '../../platform/people/actor.ts'
import { invalid, limitReached, notFound } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { RoomDocument } from './room.model.ts'
import { mayChangeRoom } from './rooms.policy.ts'
import { presentRoom } from './rooms.present.ts'
import type { RoomsRepository } from './rooms.repository.ts'

export interface RoomSummary {
  _id: string
  roomName: string
}

export interface RoomsOptions {
  rooms: RoomsRepository
  /** The most rooms per account; 0 turns the limit off. */
  roomsMax: number
  directory: Pick<DeviceDirectory, 'ofUser'>
  /** Returns the boards in any of these rooms, whoever owns them. */
  findDevicesInRooms(roomIds: readonly string[]): Promise<LiveDevice[]>
  /** Moves the boards of a room to another (null: none), and notifies everybody who watches them. */
  moveDevices(fromRoomId: string, to: RoomSummary | null): Promise<void>
  /** Notifies everybody who watches the boards of this room of its new name. */
  announceRoom(room: RoomSummary): Promise<void>
  /** Returns accounts by id; unknown ids are left out. */
  findPeople(ids: readonly string[]): Promise<ReadonlyMap<string, { _id: string; name: string }>>
  /** Returns whether the account exists, and locks it against deletion. */
  claimOwner(userId: string): Promise<boolean>
  inTransaction: RunInTransaction
}

interface RoomInput {
  roomName: string
  userId?: string | undefined
}

/** The rules of rooms. The contents of a room are read from the boards, never counted in the room. */
export function createRoomsService(options: RoomsOptions) {
  const { rooms, directory } = options

  async function load(actor: Actor, id: string): Promise<RoomDocument> {
    const room = await rooms.findById(id)
    if (room === null || !mayChangeRoom(actor, room)) throw notFound('Room')
    return room
  }

  function present(documents: readonly RoomDocument[], devices: readonly LiveDevice[]): RoomRecord[] {
    const byRoom = Map.groupBy(devices, ({ roomId }) => roomId)
    return documents.map((room) => presentRoom(room, byRoom.get(String(room._id)) ?? []))
  }

  async function presentOne(room: RoomDocument): Promise<RoomRecord> {
    return presentRoom(room, await options.findDevicesInRooms([String(room._id)]))
  }

  async function withOwners(records: readonly RoomRecord[]): Promise<RoomRecord[]> {
    const owners = await options.findPeople([...new Set(records.map(({ userId }) => userId))])
    return records.map((record) => {
      const owner = owners.get(record.userId)
      return owner === undefined ? record : { ...record, owner: { _id: owner._id, name: owner.name } }
    })
  }

  /** Returns the owner that a call is about: for a user always themselves, without revealing other accounts. */
  async function ownerOf(actor: Actor, userId: string | undefined): Promise<string> {
    refuseOthers(actor, userId)
    if (userId === undefined || userId === actor.userId) return actor.userId
    if (!(await options.findPeople([userId])).has(userId)) throw notFound('User')
    return userId
  }

  return {
    /** GET /rooms: the caller's own for a user; all or those of `userId` for staff. @throws NOT_FOUND for somebody else's. */
    async list(actor: Actor, query: PageQuery & { userId?: string | undefined }) {
      const page = pageOf(query)
      const { search } = query
      const isEveryones = isStaff(actor) && query.userId === undefined
      const owner = isEveryones ? null : await ownerOf(actor, query.userId)
      const found = await rooms.list(owner === null ? { search } : { userId: owner, search }, query.sort, page)
      const devices =
        owner === null
          ? await options.findDevicesInRooms(found.rooms.map(({ _id }) => String(_id)))
          : await directory.ofUser(owner)
      const records = present(found.rooms, devices)
      const shown = isStaff(actor) ? await withOwners(records) : records
      return { rooms: shown, ...pageInfo(page, found.total) }
    },

    /** POST /rooms; an admin may name the owner. */
    async create(actor: Actor, body: RoomInput): Promise<RoomRecord> {
      const ownerId = await ownerOf(actor, body.userId)
      const { roomsMax } = options
      const created = await options.inTransaction(async () => {
        // Locks the account for the transaction, so that concurrent calls cannot exceed the limit.
        if (!(await options.claimOwner(ownerId))) throw notFound('User')
        if (roomsMax > 0 && (await rooms.count(ownerId)) >= roomsMax)
          throw limitReached(`An account has at most ${roomsMax} rooms. Remove one first.`)
        return rooms.insert(ownerId, body.roomName)
      })
      return presentRoom(created, [])
    },

    /** PATCH and PUT /rooms/{id}. The owner of a room cannot change. */
    async rename(actor: Actor, id: string, body: RoomInput): Promise<RoomRecord> {
      const room = await load(actor, id)
      if (body.userId !== undefined && body.userId !== String(room.userId)) throw notFound('User')
      const renamed = await rooms.rename(id, body.roomName)
      if (renamed === null) throw notFound('Room')
      await options.announceRoom({ _id: id, roomName: renamed.roomName })
      return presentOne(renamed)
    },

    /**
     * DELETE /rooms/{id}: its boards move to `moveTo`, a room of the same owner, else to no room.
     * @throws NOT_FOUND, VALIDATION when they should move to the deleted room.
     */
    async remove(actor: Actor, id: string, moveTo: string | undefined): Promise<void> {
      await options.inTransaction(async () => {
        const room = await load(actor, id)
        if (moveTo === id) throw invalid('moveTo', 'must be another room')
        // Locks the account for the transaction, so that no board is moved to or from a room that another call deletes.
        if (!(await options.claimOwner(String(room.userId)))) throw notFound('Room')
        const target = moveTo === undefined ? null : await rooms.findById(moveTo)
        if (moveTo !== undefined && (target === null || String(target.userId) !== String(room.userId))) {
          throw notFound('The room to move devices to')
        }
        await options.moveDevices(id, target === null ? null : { _id: String(target._id), roomName: target.roomName })
        if (!(await rooms.delete(id))) throw notFound('Room')
      })
    },

    /** Returns rooms by id, for features that show a room's name; unknown ids are left out. */
    async findRooms(ids: readonly string[]): Promise<Map<string, RoomSummary & { userId: string }>> {
      const found = ids.length === 0 ? [] : await rooms.findManyByIds(ids)
      return new Map(
        found.map(({ _id, roomName, userId }) => [String(_id), { _id: String(_id), roomName, userId: String(userId) }])
      )
    },

    count: rooms.count,
    countByUser: rooms.countByUser,
    searchIds: rooms.searchIds,
    /** Deletes all rooms of a deleted account. */
    deleteOfUser: rooms.deleteOfUser
  }
}
export type RoomsService = ReturnType<typeof createRoomsService>
