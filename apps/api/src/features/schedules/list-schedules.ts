import type { PageQuery, ScheduleRecord } from '@batti/contracts'
import { notFound } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import { isStaff, refuseOthers, type Actor } from '../../platform/people/actor.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import { presentSchedule } from './schedules.present.ts'
import type { ScheduleFilter } from './schedules.repository.ts'
import type { SchedulesOptions } from './schedules.options.ts'

/** Presents schedules to people, with the names of what they switch. */
export function createScheduleLists(options: SchedulesOptions) {
  const { schedules, directory } = options

  async function present(documents: readonly ScheduleDocument[]): Promise<ScheduleRecord[]> {
    const devices = await directory.findMany([...new Set(documents.map(({ deviceId }) => String(deviceId)))])
    return documents.map((schedule) => presentSchedule(schedule, devices.get(String(schedule.deviceId))))
  }

  async function presentById(id: string): Promise<ScheduleRecord> {
    const schedule = await schedules.findById(id)
    const [record] = schedule === null ? [] : await present([schedule])
    if (record === undefined) throw notFound('Schedule')
    return record
  }

  async function allNamed(search: string): Promise<Partial<ScheduleFilter>> {
    const [orDeviceIds, orSwitchIds] = await Promise.all([
      options.findDeviceIdsByName(search),
      options.findSwitchIdsByName(search)
    ])
    return { orDeviceIds, orSwitchIds }
  }

  async function ownNamed(actor: Actor, search: string): Promise<Partial<ScheduleFilter>> {
    const matches = (name: string): boolean => name.toLowerCase().includes(search.toLowerCase())
    const devices = await directory.ofUser(actor.userId)
    const outlets = devices.flatMap((device) => device.outlets).filter(({ switchId }) => switchId !== '')
    return {
      orDeviceIds: devices
        .filter(({ deviceName, setName }) => matches(deviceName) || matches(setName))
        .map(({ id }) => id),
      orSwitchIds: outlets.filter(({ name }) => matches(name)).map(({ switchId }) => switchId)
    }
  }

  return {
    presentById,

    /** GET /schedules: the caller's own for a user; all for staff. @throws NOT_FOUND for somebody else's. */
    async list(actor: Actor, query: PageQuery & { userId?: string | undefined; deviceId?: string | undefined }) {
      refuseOthers(actor, query.userId)
      const page = pageOf(query)
      const search = query.search?.trim() ?? ''
      const filter: ScheduleFilter = {
        search,
        ...(query.userId === undefined ? {} : { userId: query.userId }),
        ...(query.deviceId === undefined ? {} : { deviceId: query.deviceId }),
        ...(isStaff(actor) ? {} : { userId: actor.userId })
      }
      if (search !== '') Object.assign(filter, await (isStaff(actor) ? allNamed(search) : ownNamed(actor, search)))
      const found = await schedules.list(filter, query.sort, page)
      return { schedules: await present(found.schedules), ...pageInfo(page, found.total) }
    }
  }
}
