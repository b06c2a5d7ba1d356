import type { SchedulesOptions } from './schedules.options.ts'
import type { ScheduleBody, SchedulePatch, ScheduleRecord } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { invalid, notFound } from '../../platform/app-error.ts'
import { createChangeSchedule } from './change-schedule.ts'
import { createScheduleLists } from './list-schedules.ts'
import { createNewSchedules } from './new-schedules.ts'
import { createScheduleRemoval } from './remove-schedules.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import { mayChangeSchedule, maySeeSchedule } from './schedules.policy.ts'
import { createToggleSchedule } from './toggle-schedule.ts'

/** The rules of schedules: whose they are, when they run, how many there may be. Firing them is the runner's. */
export function createSchedulesService(options: SchedulesOptions) {
  const { schedules, boardCopies } = options
  const { list, presentById } = createScheduleLists(options)
  const change = createChangeSchedule({ ...options, load, presentById })

  async function load(actor: Actor, id: string): Promise<ScheduleDocument> {
    const schedule = await schedules.findById(id)
    if (schedule === null || !maySeeSchedule(actor, schedule) || !mayChangeSchedule(actor, schedule)) {
      throw notFound('Schedule')
    }
    return schedule
  }

  return {
    list,
    ...createNewSchedules(options),

    /** PATCH /schedules/{id}: what is not sent stays. A run that has begun keeps its end, at the new time. */
    async update(actor: Actor, id: string, patch: SchedulePatch): Promise<ScheduleRecord> {
      const before = await load(actor, id)
      const { deviceId = String(before.deviceId), switchId = String(before.switchId) } = patch
      const wish = (current: ScheduleDocument) => patched(current, patch)
      if (deviceId === String(before.deviceId) && switchId === String(before.switchId))
        return change(actor, before, wish)
      // Two that come to one board at once both count its list up: the second is made to look again.
      return options.inTransaction(async () => change(actor, await load(actor, id), wish))
    },

    /** PUT /schedules/{id}, the admin's form. */
    async replace(actor: Actor, id: string, body: ScheduleBody): Promise<ScheduleRecord> {
      return change(actor, await load(actor, id), () => body)
    },

    toggle: createToggleSchedule({ ...options, load, presentById }),
    ...createScheduleRemoval({ ...options, load }),

    count: schedules.count,
    countOfUser: schedules.countOfUser,
    countByUser: schedules.countByUser,

    /** Its schedules, and the board's copy of them, are for its new outlet. */
    async followSwitch({ switchId, deviceId, index }: { switchId: string; deviceId: string; index: number }) {
      if (await schedules.setIndexOf(switchId, index)) await boardCopies.changed(deviceId)
    }
  }
}
export type SchedulesService = ReturnType<typeof createSchedulesService>

/** What a schedule is to be: what is not sent stays. @throws AppError VALIDATION for an empty label. */
function patched(before: ScheduleDocument, patch: SchedulePatch): ScheduleBody {
  if (patch.label === null || patch.label === '') throw invalid('label', 'is required')
  const { userId: _owner, _id, ...known } = before
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const repeatDays = patch.repeatDays ?? patch.days ?? before.repeatDays
  const target = { deviceId: String(before.deviceId), switchId: String(before.switchId) }
  // The date of `once` is its day, of the others their last: it means nothing when one becomes the other.
  const isOnce = (repeatType: string): boolean => repeatType === 'once'
  const endDate = isOnce(patch.repeatType ?? before.repeatType) === isOnce(before.repeatType) ? before.endDate : null
  return { ...known, isActive: undefined, endDate, ...target, ...given, repeatDays }
}
