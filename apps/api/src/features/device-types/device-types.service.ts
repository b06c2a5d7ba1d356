import {
  indexListNames,
  type createDeviceType,
  type DeviceTypeRecord,
  type PageQuery,
  type updateDeviceType
} from '@batti/contracts'
import type { z } from 'zod'
import { afterCommit } from '../../platform/after-commit.ts'
import { conflict, notFound, validationError } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { DeviceTypeDocument } from './device-type.model.ts'
import { presentDeviceType } from './device-types.present.ts'
import type { DeviceTypesRepository } from './device-types.repository.ts'
import { faultsOfLayout, type OutletLayout } from './outlet-layout.ts'

type NewType = z.output<NonNullable<typeof createDeviceType.body>>
type TypePatch = z.output<NonNullable<typeof updateDeviceType.body>>

export interface DeviceTypesOptions {
  deviceTypes: DeviceTypesRepository
  countDevicesOfType(deviceCode: string, hwModel: string): Promise<number>
  /** Stores a picture and returns its URL. */
  storeImage(picture: Buffer): Promise<string>
  removeImage(url: string): Promise<void>
}

/** Fields that existing boards were created from; they cannot change while there are such boards. */
const madeBy = [
  'deviceCode',
  'hwModel',
  'numberOfSwitches',
  'numberOfFans',
  'numberOfSockets',
  ...indexListNames
] as const

/** The rules of device types. */
export function createDeviceTypesService(options: DeviceTypesOptions) {
  const { deviceTypes, countDevicesOfType } = options

  function checkLayout(layout: OutletLayout): void {
    const faults = faultsOfLayout(layout)
    if (faults.length > 0) throw validationError(faults)
  }

  async function load(id: string): Promise<DeviceTypeDocument> {
    const type = await deviceTypes.findById(id)
    if (type === null) throw notFound('Device type')
    return type
  }

  const taken = (deviceCode: string, hwModel: string) =>
    conflict(`A device type with code ${deviceCode} and model ${hwModel} exists already.`, 'hwModel')

  /** Stores the picture before the record refers to it, and removes it again if the record is refused. */
  async function withImage<T>(picture: Buffer | undefined, save: (url: string | null) => Promise<T>): Promise<T> {
    const url = picture === undefined ? null : await options.storeImage(picture)
    try {
      return await save(url)
    } catch (error) {
      if (url !== null) await options.removeImage(url)
      throw error
    }
  }

  /** Waits for the commit: without it the record still shows the picture. */
  function removeUnshown({ deviceImage }: DeviceTypeDocument): void {
    if (deviceImage !== null) afterCommit(() => void options.removeImage(deviceImage))
  }

  return {
    async list(query: PageQuery) {
      const page = pageOf(query)
      const { types, total } = await deviceTypes.list(query.search, query.sort, page)
      return { deviceTypes: types.map(presentDeviceType), ...pageInfo(page, total) }
    },

    get: async (id: string): Promise<DeviceTypeRecord> => presentDeviceType(await load(id)),

    /** POST /device-types. @throws VALIDATION for an invalid layout, CONFLICT for an existing code and model. */
    async create(body: NewType, picture: Buffer | undefined): Promise<DeviceTypeRecord> {
      checkLayout(body)
      return withImage(picture, async (deviceImage) => {
        const created = await deviceTypes.insert({ ...body, deviceImage })
        if (created === null) throw taken(body.deviceCode, body.hwModel)
        return presentDeviceType(created)
      })
    },

    /** PATCH /device-types/{id}. Fields that boards were created from cannot change while there are any (CONFLICT). */
    async update(id: string, patch: TypePatch, picture: Buffer | undefined): Promise<DeviceTypeRecord> {
      const before = await load(id)
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
      const wanted: DeviceTypeDocument = { ...before, ...given }
      checkLayout(wanted)
      const touched = madeBy.filter((field) => String(wanted[field] ?? '') !== String(before[field] ?? ''))
      if (touched.length > 0) {
        const boards = await countDevicesOfType(before.deviceCode, before.hwModel)
        if (boards > 0) {
          throw conflict(
            `${boards === 1 ? 'One board is' : `${boards} boards are`} of this type. Save it as a new type to change its ${touched.join(', ')}.`
          )
        }
      }
      return withImage(picture, async (url) => {
        const updated = await deviceTypes.update(id, { ...given, ...(url === null ? {} : { deviceImage: url }) })
        if (updated === null) throw notFound('Device type')
        if (updated === 'taken') throw taken(wanted.deviceCode, wanted.hwModel)
        if (url !== null) removeUnshown(before)
        return presentDeviceType(updated)
      })
    },

    /** DELETE /device-types/{id}. @throws CONFLICT while there are boards of this type. */
    async remove(id: string): Promise<void> {
      const type = await load(id)
      const boards = await countDevicesOfType(type.deviceCode, type.hwModel)
      if (boards > 0) throw conflict(`${boards === 1 ? 'One board is' : `${boards} boards are`} of this type.`)
      if (!(await deviceTypes.delete(id))) throw notFound('Device type')
      removeUnshown(type)
    }
  }
}
export type DeviceTypesService = ReturnType<typeof createDeviceTypesService>
