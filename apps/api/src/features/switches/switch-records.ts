import type { createSwitch, SwitchRecord, updateSwitchRecord } from '@batti/contracts'
import type { z } from 'zod'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { AppError, conflict, notFound } from '../../platform/app-error.ts'
import type { Actor } from '../../platform/people/actor.ts'
import type { CommandAndWait } from './command-and-wait.ts'
import type { SwitchPresenter } from './present-switches.ts'
import type { SwitchesOptions } from './switches.options.ts'

type RecordsOptions = Pick<SwitchesOptions, 'switches' | 'directory' | 'refreshLive' | 'onMoved'> & {
  presentOne: SwitchPresenter['presentOne']
  commandAndWait: CommandAndWait
  load(actor: Actor, document: SwitchDocument | null): Promise<{ document: SwitchDocument; device: LiveDevice }>
  save(id: string, fields: Partial<SwitchDocument>): Promise<SwitchRecord>
}

type RecordBody = z.output<NonNullable<typeof updateSwitchRecord.body>>

/** The records of switches as an admin creates and edits them. */
export function createSwitchRecords(options: RecordsOptions) {
  const { switches, directory, presentOne, commandAndWait, load, save } = options

  /** @throws AppError for an outlet that the board does not have, or that has a switch already. */
  async function refuseOutlet({ id, outlets }: LiveDevice, index: number): Promise<void> {
    if (index >= outlets.length) {
      const last = outlets.length - 1
      throw new AppError('VALIDATION', `switchIndex: this board has ${outlets.length} outlets, the last is ${last}`, {
        errors: [{ path: 'switchIndex', message: `must be less than ${outlets.length}` }]
      })
    }
    if ((await switches.findByDevice(id, index)) !== null)
      throw conflict('That outlet of the board has a switch already.', 'switchIndex')
  }

  /** Returns the outlet that a switch is to stand for. */
  async function placeOf(actor: Actor, id: string, body: RecordBody) {
    const { document, device } = await load(actor, await switches.findById(id))
    if (body.deviceId !== undefined && body.deviceId !== device.id)
      throw conflict('A switch cannot move to another board.')
    const { switchIndex: index = document.switchIndex } = body
    const moves = index !== document.switchIndex
    if (moves) await refuseOutlet(device, index)
    return { device, index, moves }
  }

  return {
    /** POST /switches: creates a record for an outlet that has none. */
    async create(actor: Actor, body: z.output<NonNullable<typeof createSwitch.body>>): Promise<SwitchRecord> {
      const device = await directory.find(body.deviceId)
      if (device === null) throw notFound('Device')
      await refuseOutlet(device, body.switchIndex)
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

    /** PATCH /switches/{id}, the admin's form: the state of the outlet, which the board must confirm first. */
    async commandRecord(actor: Actor, id: string, body: RecordBody): Promise<void> {
      const { device, index } = await placeOf(actor, id, body)
      if (body.status !== undefined && body.status !== device.outlets[index]?.on) {
        await commandAndWait(actor, device, { index, on: body.status }, 'admin')
      }
    },

    /** The same form: the fields of the record. */
    async updateRecord(actor: Actor, id: string, body: RecordBody): Promise<SwitchRecord> {
      const { device, index, moves } = await placeOf(actor, id, body)
      const fields: Partial<SwitchDocument> = {}
      if (body.switchName !== undefined) fields.switchName = body.switchName
      if (body.isFavorite !== undefined) fields.isFavorite = body.isFavorite
      if (moves) fields.switchIndex = index
      const saved = await save(id, fields)
      if (moves) await options.onMoved({ switchId: id, deviceId: device.id, index })
      return saved
    }
  }
}
