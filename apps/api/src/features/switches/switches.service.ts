import type { SwitchesOptions } from './switches.options.ts'
import type { ChangeSource, listSwitches, SwitchRecord, SwitchSetting, updateSwitch } from '@batti/contracts'
import type { z } from 'zod'
import { isStaff, staffMay, type Actor } from '../../platform/people/actor.ts'
import { forbidden, notFound } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { createCommandAndWait } from './command-and-wait.ts'
import { createSwitchPresenter } from './present-switches.ts'
import { createSwitchRecords } from './switch-records.ts'
import type { SwitchFilter } from './switches.repository.ts'

type ListQuery = z.output<NonNullable<typeof listSwitches.query>>

/** The rules of switches. A state is never written here: it is a command to the board like any other. */
export function createSwitchesService(options: SwitchesOptions) {
  const { switches, directory, events } = options
  const { present, presentOne } = createSwitchPresenter(options)
  const commandAndWait = createCommandAndWait(options.commandSwitches, {
    perSecond: options.commandsPerSecond,
    now: options.clock.monotonic,
    storedWithinMs: options.storedWithinMs
  })
  const records = createSwitchRecords({ ...options, presentOne, commandAndWait, load, save })

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
    const { deviceId } = query
    const search = query.search?.trim() ?? ''
    if (isStaff(actor)) {
      if (search !== '') filter.orDeviceIds = await options.findDeviceIdsByName(search)
      if (deviceId !== undefined) filter.deviceIds = [deviceId]
    } else {
      const devices = await directory.ofUser(actor.userId)
      filter.deviceIds = devices.map(({ id }) => id).filter((id) => deviceId === undefined || id === deviceId)
      const wanted = search.toLowerCase()
      filter.orDeviceIds = devices
        .filter(({ deviceName, setName }) => `${deviceName}\n${setName}`.toLowerCase().includes(wanted))
        .map(({ id }) => id)
    }
    const found = await switches.list(filter, query.sort, page)
    return { switches: await present(found.switches), ...pageInfo(page, found.total) }
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
     * PATCH /switches/by-id/{id}. The command goes first: if the board does not confirm it, nothing else changes.
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

    /** The admin's form. */
    ...records,

    async remove(actor: Actor, id: string): Promise<void> {
      const { document, device } = await load(actor, await switches.findById(id))
      await switches.delete(id)
      await options.onRemoved(id)
      await options.refreshLive(device.id)
      events.emit('switch-changed', { switchId: String(document._id), deviceId: device.id })
    },

    /** For the socket's `toggleSwitch`: returns the board and outlet of a switch id, or null. */
    async locate(switchId: string): Promise<{ device: LiveDevice; index: number; switchName: string } | null> {
      const document = await switches.findTogether(switchId)
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
    const { switchName: name, isFavorite } = fields
    if (name === undefined && isFavorite === undefined) return presentOne(updated)
    const device = await directory.find(String(updated.deviceId))
    if (device !== null) {
      const edit = { ...(name !== undefined && { name }), ...(isFavorite !== undefined && { isFavorite }) }
      const at = options.clock.now()
      events.emit('switch-edited', { deviceMac: device.mac, index: updated.switchIndex, ...edit, at })
    }
    return presentOne(updated)
  }
}
export type SwitchesService = ReturnType<typeof createSwitchesService>
