import { type ConfigUpdatePayload, type DeviceRecord, type updateDevice } from '@batti/contracts'
import type { z } from 'zod'
import { isStaff, type Actor } from '../../platform/people/actor.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EventBus } from '../../platform/events.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { SecretBox } from '../../platform/store/secret-box.ts'
import { newDevice, type DeviceType } from './new-device.ts'
import { afterCommit } from '../../platform/after-commit.ts'
import { isTimeZone } from '../../platform/time-zone.ts'
import type { DeviceDocument, DeviceInput } from '../../boards/registry/device.model.ts'
import { mayChangeDevice, mayReadWifiPassword, maySeeDevice } from '../../boards/device.policy.ts'
import { presentDevice } from './devices.present.ts'
import type { DeviceFilter, DevicesRepository } from './devices.repository.ts'

type RoomSummary = NonNullable<DeviceRecord['setRoom']>
type OwnerSummary = NonNullable<DeviceRecord['userId']>
export type DevicePatch = z.output<NonNullable<typeof updateDevice.body>>

export interface DevicesOptions {
  devices: DevicesRepository
  clock: Clock
  events: EventBus
  secrets: SecretBox
  peek(deviceId: string): LiveDevice | undefined
  refreshLive(deviceId: string): Promise<LiveDevice | null>
  forgetLive(deviceId: string): void
  /** Puts settings on their way to a board; false when it cannot be reached now (it gets them when it is back). */
  pushConfig(deviceId: string, payload: ConfigUpdatePayload): boolean
  closeConnection(deviceId: string): void
  findRooms(ids: readonly string[]): Promise<Map<string, RoomSummary & { userId: string }>>
  findOwners(ids: readonly string[]): Promise<Map<string, OwnerSummary>>
  findTypes(deviceCodes: readonly string[]): Promise<DeviceType[]>
  createSwitches(device: DeviceDocument): Promise<void>
  deleteSwitches(deviceId: string): Promise<void>
  /** Removes what others keep of a board that leaves its owner. */
  onReleased(deviceId: string): Promise<void>
}

/** The rules of boards: who sees and changes them, and what a board is told when its settings change. */
export function createDevicesService(options: DevicesOptions) {
  const { devices, clock, events, secrets, peek } = options
  const wifiContext = (id: string): string => `device:${id}:wifiPassword`

  async function present(documents: readonly DeviceDocument[], actor: Actor): Promise<DeviceRecord[]> {
    const distinct = (values: unknown[]): string[] => [...new Set(values.filter((value) => value !== null).map(String))]
    const [rooms, owners, types] = await Promise.all([
      options.findRooms(distinct(documents.map(({ setRoom }) => setRoom))),
      options.findOwners(distinct(documents.map(({ userId }) => userId))),
      options.findTypes(distinct(documents.map(({ deviceCode }) => deviceCode)))
    ])
    return documents.map((document) => {
      const room = document.setRoom === null ? undefined : rooms.get(String(document.setRoom))
      const id = String(document._id)
      return presentDevice(document, {
        live: peek(id),
        room: room === undefined ? null : { _id: room._id, roomName: room.roomName },
        owner: document.userId === null ? null : (owners.get(String(document.userId)) ?? null),
        forStaff: isStaff(actor),
        now: clock.now(),
        image: types.find(({ deviceCode }) => deviceCode === document.deviceCode)?.deviceImage ?? null,
        wifiPassword:
          mayReadWifiPassword(actor, document) && document.wifiPassword !== ''
            ? (secrets.open(document.wifiPassword, wifiContext(id)) ?? undefined)
            : undefined
      })
    })
  }

  async function presentOne(document: DeviceDocument, actor: Actor): Promise<DeviceRecord> {
    const [record] = await present([document], actor)
    if (record === undefined) throw notFound('Device')
    return record
  }

  async function load(actor: Actor, id: string): Promise<DeviceDocument> {
    const document = await devices.findById(id)
    if (document === null || !maySeeDevice(actor, document)) throw notFound('Device')
    return document
  }

  async function list(
    actor: Actor,
    query: { page?: number | undefined; limit?: number | undefined; search?: string | undefined },
    extra: DeviceFilter
  ) {
    const page = pageOf(query)
    const own = isStaff(actor) ? {} : { userId: actor.userId }
    const found = await devices.list({ ...extra, ...own, search: query.search }, page)
    return { devices: await present(found.devices, actor), ...pageInfo(page, found.total) }
  }

  /** The room that `roomId` names must belong to whoever owns the board. */
  async function ownRoom(roomId: string | null, ownerId: string | null, field: string): Promise<string | null> {
    if (roomId === null) return null
    const room = (await options.findRooms([roomId])).get(roomId)
    if (room === undefined || room.userId !== ownerId)
      throw notFound(field === 'setRoom' ? 'Room' : 'Room of that user')
    return roomId
  }

  async function release(document: DeviceDocument): Promise<void> {
    const id = String(document._id)
    // Rows first: should this process die in between, the board is gone for its owner already.
    if (!(await devices.delete(id))) throw notFound('Device')
    await Promise.all([options.deleteSwitches(id), options.onReleased(id)])
    afterCommit(() => options.forgetLive(id))
    afterCommit(() => options.closeConnection(id))
    events.emit('device-released', {
      deviceId: id,
      deviceMac: document.deviceMac,
      userId: document.userId === null ? null : String(document.userId),
      reason: 'deleted'
    })
  }

  /** What a board must hear of a change; null when none of it concerns the board. */
  function configOf(document: DeviceDocument, changed: DeviceInput): ConfigUpdatePayload | null {
    const payload: ConfigUpdatePayload = { rev: document.configRev }
    if (changed.activeColor !== undefined) payload.activeColor = document.activeColor
    if (changed.timezone !== undefined) payload.timezone = document.timezone
    const wantsWifi = changed.wifiSSID !== undefined || changed.wifiPassword !== undefined
    if (wantsWifi && document.wifiSSID !== '') {
      const password =
        document.wifiPassword === ''
          ? ''
          : (secrets.open(document.wifiPassword, wifiContext(String(document._id))) ?? '')
      payload.wifi = { ssid: document.wifiSSID, password }
    }
    if (
      document.serverUrl !== '' &&
      (changed.serverUrl !== undefined || changed.serverPort !== undefined) &&
      document.serverPort !== null
    ) {
      payload.api = { host: document.serverUrl, port: document.serverPort }
    }
    if (document.serverUrl !== '' && changed.mqttPort !== undefined && document.mqttPort !== null) {
      payload.mqtt = { host: document.serverUrl, port: document.mqttPort }
    }
    return Object.keys(payload).length === 1 ? null : payload
  }

  return {
    /** GET /devices: the caller's own for a user, all for staff; `status` filters by presence. */
    list: (actor: Actor, query: Parameters<typeof list>[1] & { status?: 'online' | 'offline' | undefined }) =>
      list(actor, query, query.status === undefined ? {} : { isOnline: query.status === 'online' }),

    /** GET /devices/by-room/{roomId}. @throws NOT_FOUND when the room is not the caller's. */
    async listByRoom(actor: Actor, roomId: string, query: Parameters<typeof list>[1]) {
      const room = (await options.findRooms([roomId])).get(roomId)
      if (room === undefined || (!isStaff(actor) && room.userId !== actor.userId)) throw notFound('Room')
      return list(actor, query, { roomId })
    },

    get: async (actor: Actor, id: string): Promise<DeviceRecord> => presentOne(await load(actor, id), actor),

    /** POST /devices, by an admin: the board belongs to that user and comes online once its owner has set it up. */
    async create(
      actor: Actor,
      body: { userId: string; deviceCode: string; deviceMac: string; roomId?: string | null | undefined }
    ): Promise<DeviceRecord> {
      const [type] = await options.findTypes([body.deviceCode])
      if (type === undefined) throw invalid('deviceCode', 'is not a known device type')
      if ((await options.findOwners([body.userId])).size === 0) throw notFound('User')
      const setRoom = await ownRoom(body.roomId ?? null, body.userId, 'roomId')
      const created = await devices.insertUnlessTaken({
        ...newDevice(type, body.deviceMac),
        userId: body.userId,
        setRoom,
        ownedSince: new Date(clock.now()),
        createdBy: actor.userId
      })
      if (created === null) throw conflict(`A device with MAC ${body.deviceMac} exists already.`)
      await options.createSwitches(created)
      return presentOne(created, actor)
    },

    /**
     * PATCH /devices/{id}. Wi-Fi, colour, zone and server addresses are pushed to the board; its report confirms them.
     * @throws NOT_FOUND for what is not the caller's; FORBIDDEN for a monitor.
     */
    async update(actor: Actor, id: string, patch: DevicePatch): Promise<DeviceRecord> {
      const document = await load(actor, id)
      if (!mayChangeDevice(actor, document)) throw forbidden()
      if (patch.userId !== undefined && actor.role === 'user' && patch.userId !== actor.userId) throw notFound('User')
      const fields: DeviceInput = { updatedBy: actor.userId }
      const name = patch.setName ?? patch.name
      if (name !== undefined) fields.setName = name
      const ownerId = patch.userId ?? (document.userId === null ? null : String(document.userId))
      const movesOwner = patch.userId !== undefined && patch.userId !== String(document.userId)
      if (movesOwner) {
        if ((await options.findOwners([patch.userId ?? ''])).size === 0) throw notFound('User')
        Object.assign(fields, {
          userId: ownerId,
          ownedSince: new Date(clock.now()),
          setRoom: null,
          credentialHash: null,
          pendingHash: null,
          wifiSSID: '',
          wifiPassword: ''
        })
      }
      const room = patch.setRoom !== undefined ? patch.setRoom : patch.roomId
      if (room !== undefined) {
        const roomId = await ownRoom(room, ownerId, patch.setRoom === undefined ? 'roomId' : 'setRoom')
        fields.setRoom = roomId
      }
      if (patch.wifiSSID !== undefined) fields.wifiSSID = patch.wifiSSID
      if (patch.wifiPassword !== undefined && patch.wifiPassword !== '') {
        fields.wifiPassword = secrets.seal(patch.wifiPassword, wifiContext(id))
      }
      if (patch.activeColor !== undefined) fields.activeColor = patch.activeColor
      if (patch.timezone !== undefined) fields.timezone = knownZone(patch.timezone)
      for (const field of ['osVersion', 'remoteCode', 'serverUrl', 'serverPort', 'mqttPort'] as const) {
        if (patch[field] !== undefined) Object.assign(fields, { [field]: patch[field] })
      }
      if (patch.labels !== undefined) fields.labels = patch.labels
      if (patch.pinnedVersion !== undefined) fields.pinnedVersion = pinOf(patch.pinnedVersion, clock.now())
      const changed = onlyChanges(document, fields)
      const tellsBoard = configOf(document, changed) !== null || changed.wifiSSID !== undefined
      const updated = await (tellsBoard ? devices.updateSettings(id, fields) : devices.update(id, fields))
      if (updated === null) throw notFound('Device')
      if (movesOwner) await endOldOwner(document)
      const payload = configOf(updated, changed)
      if (payload !== null && !movesOwner) options.pushConfig(id, payload)
      await options.refreshLive(id)
      const record = await presentOne(updated, actor)
      events.emit('device-edited', {
        deviceId: id,
        deviceMac: updated.deviceMac,
        update: {
          setName: record.setName,
          setRoom: record.setRoom,
          activeColor: record.activeColor,
          timezone: record.timezone
        },
        at: clock.now()
      })
      return record
    },

    /** DELETE /devices/{id}: unclaims the board. Its credentials die at once and an open connection is closed. */
    async remove(actor: Actor, id: string): Promise<void> {
      const document = await load(actor, id)
      if (!mayChangeDevice(actor, document)) throw forbidden()
      await release(document)
    },

    /** Everything a leaving account owned. */
    async releaseAllOf(userId: string): Promise<void> {
      for (const document of await devices.findAllOfUser(userId)) await release(document)
    },

    /** Sends a board that was away the settings it missed. */
    async resendConfig(deviceId: string): Promise<void> {
      const document = await devices.findById(deviceId)
      if (document === null) return
      const payload = configOf(document, onlySettings(document))
      if (payload !== null) options.pushConfig(deviceId, payload)
    }
  }

  /** A board that moved to another owner: what the old one could do with it ends now. */
  async function endOldOwner(document: DeviceDocument): Promise<void> {
    const id = String(document._id)
    await options.onReleased(id)
    afterCommit(() => options.closeConnection(id))
    events.emit('device-released', {
      deviceId: id,
      deviceMac: document.deviceMac,
      userId: document.userId === null ? null : String(document.userId),
      reason: 'moved'
    })
  }
}
export type DevicesService = ReturnType<typeof createDevicesService>

/** All that a board may have missed while it was away. */
function onlySettings({
  activeColor,
  timezone,
  wifiSSID,
  serverUrl,
  serverPort,
  mqttPort
}: DeviceDocument): DeviceInput {
  return { activeColor, timezone, wifiSSID, serverUrl, serverPort, mqttPort }
}

/** The fields that would really change. */
function onlyChanges(document: DeviceDocument, fields: DeviceInput): DeviceInput {
  const before = new Map<string, unknown>(Object.entries(document))
  const changed = Object.entries(fields).filter(
    ([field, value]) => field !== 'updatedBy' && asText(before.get(field)) !== asText(value)
  )
  return Object.fromEntries(changed)
}

const asText = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value))

function knownZone(timezone: string): string {
  if (isTimeZone(timezone)) return timezone
  throw invalid('timezone', 'is not a known time zone such as Asia/Kathmandu')
}

function pinOf(pin: NonNullable<DevicePatch['pinnedVersion']> | null, now: number): DeviceDocument['pinnedVersion'] {
  if (pin === null) return null
  const endsAt = pin.endsAt === null ? null : new Date(pin.endsAt)
  if (endsAt !== null && endsAt.getTime() <= now) throw invalid('pinnedVersion.endsAt', 'must lie in the future')
  return { version: pin.version, reason: pin.reason, endsAt }
}
