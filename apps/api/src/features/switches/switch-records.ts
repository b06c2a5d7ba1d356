import type { createSwitch, SwitchRecord, updateSwitchRecord } from '@batti/contracts'
import type { z } from 'zod'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { AppError, conflict, notFound } from '../../platform/app-error.ts'
import type { Actor } from '../../platform/people/actor.ts'
import type { CommandAndWait } from './command-and-wait.ts'
import type { SwitchPresenter } from './present-switches.ts'
import type { SwitchesOptions } from './switches.service.ts'

type RecordsOptions = Pick<SwitchesOptions, 'switches' | 'directory' | 'refreshLive'> & {
  presentOne: SwitchPresenter['presentOne']
  commandAndWait: CommandAndWait
  load(actor: Actor, document: SwitchDocument | null): Promise<{ document: SwitchDocument; device: LiveDevice }>
  save(id: string, fields: Partial<SwitchDocument>): Promise<SwitchRecord>
}

/** The records of switches as an admin makes and edits them. */
export function createSwitchRecords(options: RecordsOptions) {
  const { switches, directory, presentOne, commandAndWait, load, save } = options

  return {
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
    }
  }
}
