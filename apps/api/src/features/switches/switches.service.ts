import type {
  createSwitch,
  updateSwitch,
  updateSwitchRecord,
  ChangeSource,
  SwitchRecord,
  SwitchSetting
} from '@batti/contracts'
import type { z } from 'zod'
import { isStaff, staffMay, type Actor } from '../../platform/people/actor.ts'
import { AppError, conflict, forbidden, notFound } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EventBus } from '../../platform/events.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { presentSwitch } from './switches.present.ts'
import type { SwitchFilter, SwitchesRepository } from './switches.repository.ts'

type ListQuery = { page?: number | undefined; limit?: number | undefined; search?: string | undefined }

export interface SwitchesOptions {
  switches: SwitchesRepository
  directory: DeviceDirectory
  commandSwitches: CommandSwitches
  clock: Clock
  events: EventBus
  refreshLive(deviceId: string): Promise<unknown>
  findRooms(ids: readonly string[]): Promise<Map<string, { _id: string; roomName: string }>>
  /** Boards of the whole installation whose name matches; for the staff's search. */
  findDeviceIdsByName(search: string): Promise<string[]>
  /** Removes what others keep of a switch. */
  onRemoved(switchId: string): Promise<void>
}

/** The rules of switches. A state is never written here: it is a command to the board like any other. */
export function createSwitchesService(options: SwitchesOptions) {
  const { switches, directory, commandSwitches, events } = options

  async function present(documents: readonly SwitchDocument[]): Promise<SwitchRecord[]> {
    const devices = await directory.findMany([...new Set(documents.map(({ deviceId }) => String(deviceId)))])
    const roomIds = [...devices.values()].flatMap(({ roomId }) => (roomId === null ? [] : [roomId]))
    const rooms = await options.findRooms([...new Set(roomIds)])
    return documents.map((document) => {
      const device = devices.get(String(document.deviceId))
      const room = device?.roomId === null || device === undefined ? undefined : rooms.get(device.roomId)
      return presentSwitch(document, device, room === undefined ? null : { _id: room._id, roomName: room.roomName })
    })
  }

  async function presentOne(document: SwitchDocument): Promise<SwitchRecord> {
    const [record] = await present([document])
    if (record === undefined) throw notFound('Switch')
    return record
  }

  function mayView(actor: Actor, device: LiveDevice): boolean {
    if (isStaff(actor)) return staffMay(actor, 'view switches') || staffMay(actor, 'control switches')
    return device.userId === actor.userId
  }

  async function load(
    actor: Actor,
    document: SwitchDocument | null
  ): Promise<{ document: SwitchDocument; device: LiveDevice }> {
    const device = document === null ? null : await directory.find(String(document.deviceId))
    if (document === null || device === null || !mayView(actor, device)) throw notFound('Switch')
    return { document, device }
  }

  async function list(actor: Actor, query: ListQuery, extra: Pick<SwitchFilter, 'isFavorite'>) {
    const page = pageOf(query)
    const filter: SwitchFilter = { ...extra, search: query.search }
    const search = query.search?.trim() ?? ''
    if (isStaff(actor)) {
      if (search !== '') filter.orDeviceIds = await options.findDeviceIdsByName(search)
    } else {
      const devices = await directory.ofUser(actor.userId)
      filter.deviceIds = devices.map(({ id }) => id)
      const wanted = search.toLowerCase()
      filter.orDeviceIds = devices
        .filter(({ deviceName, setName }) => `${deviceName}\n${setName}`.toLowerCase().includes(wanted))
        .map(({ id }) => id)
    }
    const found = await switches.list(filter, page)
    return { switches: await present(found.switches), ...pageInfo(page, found.total) }
  }

  /** Sends a state and waits until the board has confirmed it and that is stored. */
  async function commandAndWait(
    actor: Actor,
    device: LiveDevice,
    set: SwitchSetting,
    via: ChangeSource
  ): Promise<void> {
    const sent = commandSwitches.command(actor, device, [set], via)
    const outcome = await sent.ended
    switch (outcome.result) {
      case 'confirmed':
        await outcome.stored
        return
      case 'failed':
        throw new AppError('UNPROCESSABLE', `The board refused: ${outcome.reason ?? 'no reason given'}.`)
      case 'expired':
      case 'timeout':
        throw new AppError('DEVICE_NO_RESPONSE', '⚠️ No response from device. Restoring state.')
    }
  }

  return {
    list: (actor: Actor, query: ListQuery) => list(actor, query, {}),
    listFavorites: (actor: Actor, query: ListQuery) => list(actor, query, { isFavorite: true }),

    async get(actor: Actor, id: string): Promise<SwitchRecord> {
      return presentOne((await load(actor, await switches.findById(id))).document)
    },
    async getByDevice(actor: Actor, deviceId: string, index: number): Promise<SwitchRecord> {
      return presentOne((await load(actor, await switches.findByDevice(deviceId, index))).document)
    },

    /**
     * PATCH /switches/by-id/{id}. The command goes first: when the board does not confirm, nothing else changes either.
     * @throws DEVICE_OFFLINE (409) at once, DEVICE_NO_RESPONSE (504) after 4 s.
     */
    async update(
      actor: Actor,
      id: string,
      patch: z.output<NonNullable<typeof updateSwitch.body>>,
      via: ChangeSource
    ): Promise<SwitchRecord> {
      const { document, device } = await load(actor, await switches.findById(id))
      const setsNames = patch.switchName !== undefined || patch.isFavorite !== undefined
      if (setsNames && actor.role === 'monitor') throw forbidden()
      if (patch.status !== undefined || patch.speed !== undefined) {
        const set: SwitchSetting = { index: document.switchIndex }
        if (patch.status !== undefined) set.on = patch.status
        if (patch.speed !== undefined) set.speed = patch.speed
        await commandAndWait(actor, device, set, via)
      }
      if (!setsNames) return presentOne(document)
      const fields: Partial<SwitchDocument> = {}
      if (patch.switchName !== undefined) fields.switchName = patch.switchName
      if (patch.isFavorite !== undefined) fields.isFavorite = patch.isFavorite
      return save(id, fields)
    },

    /** POST /switches: a record for an outlet that has none. */
    async create(actor: Actor, body: z.output<NonNullable<typeof createSwitch.body>>): Promise<SwitchRecord> {
      const device = await directory.find(body.deviceId)
      if (device === null) throw notFound('Device')
      if (body.switchIndex >= device.outlets.length) {
        throw new AppError(
          'VALIDATION',
          `switchIndex: this board has ${device.outlets.length} outlets, the last is ${device.outlets.length - 1}`,
          {
            errors: [{ path: 'switchIndex', message: `must be less than ${device.outlets.length}` }]
          }
        )
      }
      if ((await switches.findByDevice(body.deviceId, body.switchIndex)) !== null) {
        throw conflict('That outlet of the board has a switch already.')
      }
      if (body.status !== undefined && body.status !== device.outlets[body.switchIndex]?.on) {
        await commandAndWait(actor, device, { index: body.switchIndex, on: body.status }, 'admin')
      }
      const created = await switches.insert({
        deviceId: body.deviceId,
        switchIndex: body.switchIndex,
        switchName: body.switchName,
        isFavorite: body.isFavorite ?? false
      })
      await options.refreshLive(body.deviceId)
      return presentOne(created)
    },

    /** PATCH /switches/{id}, the admin's form. */
    async updateRecord(
      actor: Actor,
      id: string,
      body: z.output<NonNullable<typeof updateSwitchRecord.body>>
    ): Promise<SwitchRecord> {
      const { document, device } = await load(actor, await switches.findById(id))
      if (body.deviceId !== undefined && body.deviceId !== device.id)
        throw conflict('A switch cannot move to another board.')
      if (body.switchIndex !== undefined && body.switchIndex !== document.switchIndex) {
        if (body.switchIndex >= device.outlets.length) throw notFound('That outlet')
        if ((await switches.findByDevice(device.id, body.switchIndex)) !== null)
          throw conflict('That outlet of the board has a switch already.')
      }
      if (body.status !== undefined && body.status !== device.outlets[document.switchIndex]?.on) {
        await commandAndWait(actor, device, { index: document.switchIndex, on: body.status }, 'admin')
      }
      const fields: Partial<SwitchDocument> = {}
      if (body.switchName !== undefined) fields.switchName = body.switchName
      if (body.isFavorite !== undefined) fields.isFavorite = body.isFavorite
      if (body.switchIndex !== undefined) fields.switchIndex = body.switchIndex
      return save(id, fields)
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { document, device } = await load(actor, await switches.findById(id))
      await switches.delete(id)
      await options.onRemoved(id)
      await options.refreshLive(device.id)
      events.emit('switch-changed', { switchId: String(document._id), deviceId: device.id })
    },

    /** For the socket's `toggleSwitch`: the board and outlet behind a switch id, or null. */
    async locate(switchId: string): Promise<{ device: LiveDevice; index: number; switchName: string } | null> {
      const document = await switches.findById(switchId)
      const device = document === null ? null : await directory.find(String(document.deviceId))
      return document === null || device === null
        ? null
        : { device, index: document.switchIndex, switchName: document.switchName }
    }
  }

  async function save(id: string, fields: Partial<SwitchDocument>): Promise<SwitchRecord> {
    const updated = await switches.update(id, fields)
    if (updated === null) throw notFound('Switch')
    await options.refreshLive(String(updated.deviceId))
    events.emit('switch-changed', { switchId: id, deviceId: String(updated.deviceId) })
    const device = fields.switchName === undefined ? null : await directory.find(String(updated.deviceId))
    if (device !== null) {
      const { switchIndex: index, switchName: name } = updated
      events.emit('switch-renamed', { deviceMac: device.mac, index, name, at: options.clock.now() })
    }
    return presentOne(updated)
  }
}
export type SwitchesService = ReturnType<typeof createSwitchesService>
