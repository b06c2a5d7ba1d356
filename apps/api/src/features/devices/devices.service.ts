import type { DevicesOptions, DevicePatch } from './devices.options.ts'
import type { createDevice, DeviceFilter, DeviceRecord, listDevices } from '@batti/contracts'
import type { z } from 'zod'
import { isStaff, refuseOthers, type Actor } from '../../platform/people/actor.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import { newDevice, type DeviceType } from './new-device.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { mayChangeDevice, maySeeDevice } from '../../boards/device.policy.ts'
import { createBoardConfig, onlySettings } from './board-config.ts'
import { createChangeDevice } from './change-device.ts'
import { createDevicePresenter } from './present-devices.ts'
import { createDeviceRelease } from './release-devices.ts'
import type { BoardFilter } from './devices.repository.ts'

type DeviceQuery = z.output<NonNullable<typeof listDevices.query>>

/** The rules of boards: who sees and changes them, and what a board is told when its settings change. */
export function createDevicesService(options: DevicesOptions) {
  const { devices, limit, clock, events } = options
  const boardConfig = createBoardConfig(options.secrets, options.trustedCa)
  const presenter = createDevicePresenter({ ...options, boardConfig })
  const { present, presentOne } = presenter
  const { release, releaseAllOf, endOldOwner } = createDeviceRelease(options)
  const changeDevice = createChangeDevice({ ...options, boardConfig, presenter, endOldOwner, ownRoom })

  async function load(actor: Actor, id: string): Promise<DeviceDocument> {
    const document = await devices.findById(id)
    if (document === null || !maySeeDevice(actor, document)) throw notFound('Device')
    return document
  }

  /** Extends a filter by what its search matches; limited to things of `userId` if given. */
  async function searched(filter: DeviceFilter, userId?: string): Promise<BoardFilter> {
    const text = filter.search?.trim() ?? ''
    if (text === '') return filter
    const [orOwners, orRooms] = await Promise.all([
      userId === undefined ? options.searchOwners(text) : [],
      options.searchRooms(text, userId)
    ])
    return { ...filter, orOwners, orRooms }
  }

  /** `isUncounted`: the number of matches is not needed. */
  async function list(actor: Actor, query: DeviceQuery, { isUncounted = false } = {}) {
    refuseOthers(actor, query.userId)
    const page = pageOf(query)
    const { sort } = query
    const filter = isStaff(actor)
      ? await searched(query)
      : await searched({ ...query, userId: actor.userId }, actor.userId)
    const found = await devices.list(filter, sort, page, isUncounted)
    return { devices: await present(found.devices, actor), ...pageInfo(page, found.total) }
  }

  /** The room that `roomId` names must belong to the owner of the board. */
  async function ownRoom(roomId: string | null, ownerId: string | null, field: string): Promise<string | null> {
    if (roomId === null) return null
    const room = (await options.findRooms([roomId])).get(roomId)
    if (room === undefined || room.userId !== ownerId)
      throw notFound(field === 'setRoom' ? 'Room' : 'Room of that user')
    return roomId
  }

  /** Sends a board the settings that it missed while offline. */
  async function resendConfig(deviceId: string): Promise<void> {
    const document = await devices.findById(deviceId)
    if (document === null) return
    const payload = boardConfig.configOf(document, onlySettings(document))
    if (payload !== null) options.pushConfig(deviceId, payload)
  }

  return {
    /** GET /devices: the caller's own for a user, all for staff. @throws NOT_FOUND for somebody else's. */
    list,

    /** Returns the condition for a filter of rollouts and bulk changes: the same boards as GET /devices shows to staff. */
    matching: async (filter: DeviceFilter) => devices.matching(await searched(filter)),

    /** GET /devices/by-room/{roomId}. @throws NOT_FOUND when the room is not the caller's. */
    async listByRoom(actor: Actor, roomId: string, query: DeviceQuery) {
      const room = (await options.findRooms([roomId])).get(roomId)
      if (room === undefined || (!isStaff(actor) && room.userId !== actor.userId)) throw notFound('Room')
      return list(actor, { ...query, roomId })
    },

    get: async (actor: Actor, id: string): Promise<DeviceRecord> => presentOne(await load(actor, id), actor),

    /**
     * POST /devices, by an admin: the board belongs to that user, and comes online once its owner has set it up.
     * @throws LIMIT_REACHED when that user has the maximum number of boards.
     */
    async create(actor: Actor, body: NewBoard): Promise<DeviceRecord> {
      const type = typeOf(body, await options.findTypes([body.deviceCode]))
      if (!(await options.claimType(type.deviceCode, type.hwModel))) throw unknownType('deviceCode')
      if (!(await options.claimOwner(body.userId))) throw notFound('User')
      const setRoom = await ownRoom(body.roomId ?? null, body.userId, 'roomId')
      if (!(await limit.hasRoom(body.userId))) throw limit.refusal()
      const created = await devices.insertUnlessTaken({
        ...newDevice(type, body.deviceMac, await options.zoneOf(body.userId)),
        userId: body.userId,
        setRoom,
        ownedSince: new Date(clock.now()),
        createdBy: actor.userId
      })
      if (created === null) throw conflict(`A device with MAC ${body.deviceMac} exists already.`, 'deviceMac')
      await options.createSwitches(created)
      events.emit('device-added', { deviceId: String(created._id) })
      return presentOne(created, actor)
    },

    /**
     * PATCH /devices/{id}. Wi-Fi, colour, zone and server addresses are pushed to the board; its report confirms them.
     * @throws NOT_FOUND for a board that is not the caller's; FORBIDDEN for a monitor.
     */
    async update(actor: Actor, id: string, patch: DevicePatch): Promise<DeviceRecord> {
      const document = await load(actor, id)
      if (!mayChangeDevice(actor, document)) throw forbidden()
      refuseOthers(actor, patch.userId)
      return changeDevice(actor, document, patch)
    },

    /** Like `update`, but pushes again what was stored before and is not confirmed. Returns the revision to be confirmed. */
    async applySettings(actor: Actor, id: string, patch: DevicePatch): Promise<number> {
      const document = await load(actor, id)
      const { configRev, configConfirmedRev } = await changeDevice(actor, document, patch)
      if (document.configRev === configRev && configConfirmedRev < configRev) await resendConfig(id)
      return configRev
    },

    /** DELETE /devices/{id}: unclaims the board. Its credentials end at once, and an open connection is closed. */
    async remove(actor: Actor, id: string): Promise<void> {
      const document = await load(actor, id)
      if (!mayChangeDevice(actor, document)) throw forbidden()
      await release(document)
    },

    releaseAllOf,

    resendConfig
  }
}
export type DevicesService = ReturnType<typeof createDevicesService>

type NewBoard = z.output<NonNullable<typeof createDevice.body>>

const unknownType = (field: 'deviceCode' | 'hwModel') => invalid(field, 'is not a known device type')

/**
 * Returns the type of a new board among those with its code; without a model, the first.
 * @throws AppError VALIDATION for an unknown one.
 */
function typeOf({ hwModel }: NewBoard, types: readonly DeviceType[]): DeviceType {
  const type = hwModel ? types.find((one) => one.hwModel === hwModel) : types[0]
  if (type === undefined) throw unknownType(hwModel && types.length > 0 ? 'hwModel' : 'deviceCode')
  return type
}
