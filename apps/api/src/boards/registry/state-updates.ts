import { versionOrderOf } from '@batti/contracts'
import { Types } from 'mongoose'
import type { DeviceDocument } from './device.model.ts'

export type DeviceFields = Partial<DeviceDocument> & Pick<DeviceDocument, '_id'>

/** Returns what adds fields to those of the board that are not stored yet. */
export const withFields =
  (deviceId: string, fields: Omit<DeviceFields, '_id'>) =>
  (earlier: DeviceFields | undefined): DeviceFields => ({ ...earlier, _id: new Types.ObjectId(deviceId), ...fields })

interface StateUpdate {
  updateOne: { filter: object; update: { $set: object } }
}

/** The sort column is updated together with the version. */
export const plainUpdate = ({ _id, ...fields }: DeviceFields): StateUpdate[] => {
  const { osVersion } = fields
  const column = osVersion === undefined ? {} : { 'list.version': versionOrderOf(osVersion) }
  return [{ updateOne: { filter: { _id }, update: { $set: { ...fields, ...column } } } }]
}

/** The fields that a report sets as a whole, and that an older report must not overwrite. */
const ofReports = [
  'switch',
  'speed',
  'bootId',
  'seq',
  'earlierBoots',
  'conn',
  'stateAt',
  'configConfirmedRev',
  'schedulesConfirmedRev'
] as const satisfies readonly (keyof DeviceFields)[]

/** Guards the update, because another instance may have stored a newer report of the board. */
export function guardedUpdates(state: DeviceFields): StateUpdate[] {
  const { bootId, seq } = state
  if (bootId === undefined || seq === undefined) return plainUpdate(state)
  const { _id, ...fields } = state
  const reported: DeviceFields = { _id }
  for (const name of ofReports) {
    if (fields[name] === undefined) continue
    Object.assign(reported, { [name]: fields[name] })
    delete fields[name]
  }
  const { _id: _same, ...set } = reported
  const isNoNewer = { $nor: [{ bootId, seq: { $gt: seq } }, { earlierBoots: bootId }] }
  return [
    { updateOne: { filter: { _id, ...isNoNewer }, update: { $set: set } } },
    ...(Object.keys(fields).length === 0 ? [] : plainUpdate({ _id, ...fields }))
  ]
}
