import { getDeviceHistory, getFleet, listDeviceEvents, listFleetAttention, type RefusalsOfHour } from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import type { Model } from 'mongoose'
import { maySeeDevice } from '../../boards/device.policy.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { notFound } from '../../platform/app-error.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import { isStaff, type Actor } from '../../platform/people/actor.ts'
import type { BoardRecords } from './board-records.ts'
import type { FleetFigures } from './fleet-book.ts'
import type { FleetHours } from './fleet-hours.ts'
import type { BoardReader } from './read-boards.ts'

export interface FleetRoutesOptions {
  /** Counts every board, the first time by reading them all. */
  countBoards(): Promise<FleetFigures>
  hours: FleetHours
  reader: BoardReader
  records: BoardRecords
  devices: Model<DeviceDocument>
  people: { findPeople(ids: readonly string[]): Promise<Map<string, { _id: string; name: string }>> }
  /** The log of refusals; without it none are shown. */
  unauthorizedLogs?: { lastHours(): Promise<RefusalsOfHour[]> } | undefined
  now(): number
}

export function fleetRoutes(options: FleetRoutesOptions): RouteHandler[] {
  const { hours, reader, records, now } = options

  async function findBoard(actor: Actor, id: string): Promise<DeviceDocument> {
    const device = await options.devices.findById(id).lean<DeviceDocument>()
    if (device === null || !maySeeDevice(actor, device)) throw notFound('Device')
    return device
  }
  /** The days of a former owner are hidden from the new one. */
  const seenSince = (actor: Actor, device: DeviceDocument): Date | null =>
    isStaff(actor) ? null : (device.ownedSince ?? device.createdAt)

  return [
    on(getFleet, async () => {
      const figures = await options.countBoards()
      await hours.store(now(), figures.online)
      const [byHours, byHour] = await Promise.all([
        hours.last(now(), figures.online),
        options.unauthorizedLogs?.lastHours() ?? []
      ])
      return { ...figures, ...byHours, byHour }
    }),
    on(listFleetAttention, async ({ query }) => {
      const found = await reader.attention(query, now())
      const owners = await options.people.findPeople(
        found.flatMap(({ device: { userId } }) => userId?.toHexString() ?? [])
      )
      return {
        boards: found.map(({ device, ...row }) => {
          const owner = device.userId === null ? undefined : owners.get(device.userId.toHexString())
          const { _id, deviceMac, setName, deviceName } = device
          return {
            device: {
              _id: String(_id),
              deviceMac,
              setName: setName === '' ? deviceName : setName,
              owner: owner === undefined ? null : { _id: owner._id, name: owner.name }
            },
            ...row
          }
        })
      }
    }),
    on(listDeviceEvents, async ({ actor, params, query }) => {
      const device = await findBoard(actor, params.id)
      const page = pageOf(query)
      const of = { deviceId: params.id, kind: query.kind, since: seenSince(actor, device) }
      const found = await reader.events(of, page)
      return { events: found.events, ...pageInfo(page, found.total) }
    }),
    on(getDeviceHistory, async ({ actor, params, query }) => {
      const device = await findBoard(actor, params.id)
      const until = now()
      const since = Math.max(until - query.days * dayMs, seenSince(actor, device)?.getTime() ?? 0)
      return reader.history(device, { since, now: until, running: records.openSignalOf(params.id) })
    })
  ]
}
