import type { SchedulesOptions } from './schedules.options.ts'
import type { ScheduleBody, SchedulePatch, ScheduleRecord } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { invalid, notFound } from '../../platform/app-error.ts'
import { createChangeSchedule } from './change-schedule.ts'
import { createScheduleLists } from './list-schedules.ts'
import { createNewSchedules, labelOf } from './new-schedules.ts'
import { createScheduleRemoval } from './remove-schedules.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import { mayChangeSchedule } from './schedules.policy.ts'
import { createToggleSchedule } from './toggle-schedule.ts'

/** The rules of schedules: owners, times and limits. The runner fires them. */
export function createSchedulesService(options: SchedulesOptions) {
  const { schedules, boardCopies } = options
  const { list, presentById } = createScheduleLists(options)
  const change = createChangeSchedule({ ...options, load, presentById })

  async function load(actor: Actor, id: string): Promise<ScheduleDocument> {
    const schedule = await schedules.findById(id)
    if (schedule === null || !mayChangeSchedule(actor, schedule)) throw notFound('Schedule')
    return schedule
  }

  return {
    list,
    ...createNewSchedules({ ...options, load }),

    /** PATCH /schedules/{id}: fields that are not sent stay. A run that has begun keeps its end, at the new time. */
    async update(actor: Actor, id: string, patch: SchedulePatch): Promise<ScheduleRecord> {
      const before = await load(actor, id)
      const { deviceId = String(before.deviceId), switchId = String(before.switchId) } = patch
      const computeWanted = (current: ScheduleDocument) => patched(current, patch)
      if (deviceId === String(before.deviceId) && switchId === String(before.switchId))
        return change(actor, before, computeWanted)
      // Concurrent moves to one board both increment its list revision, so the second conflicts and is retried.
      return options.inTransaction(async () => change(actor, await load(actor, id), computeWanted))
    },

    /** PUT /schedules/{id}, the admin's form: fields that are not sent take their defaults. */
    async replace(actor: Actor, id: string, body: ScheduleBody): Promise<ScheduleRecord> {
      const whole = { ...body, label: labelOf(body), isActive: body.isActive ?? true }
      return change(actor, await load(actor, id), () => whole)
    },

    toggle: createToggleSchedule({ ...options, load, presentById }),
    ...createScheduleRemoval({ ...options, load }),

    count: schedules.count,
    countOfUser: schedules.countOfUser,
    countByUser: schedules.countByUser,

    /** Moves the schedules of a switch, and the board's copy, to the switch's new outlet. */
    async followSwitch({ switchId, deviceId, index }: { switchId: string; deviceId: string; index: number }) {
      if (await schedules.setIndexOf(switchId, index)) await boardCopies.changed(deviceId)
    }
  }
}
export type SchedulesService = ReturnType<typeof createSchedulesService>

/** Returns the wanted schedule: fields that are not sent stay. @throws AppError VALIDATION for an empty label or lost days. */
function patched(before: ScheduleDocument, patch: SchedulePatch): ScheduleBody {
  if (patch.label === null || patch.label === '') throw invalid('label', 'is required')
  const { userId: _owner, _id, ...known } = before
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const repeatDays = patch.repeatDays ?? patch.days ?? before.repeatDays
  // With a `repeatType` beside them, days are what a form still holds of a weekly schedule.
  if (patch.repeatType === undefined && before.repeatType !== 'weekly' && repeatDays.length > 0)
    throw invalid(patch.repeatDays ? 'repeatDays' : 'days', 'Days are for a weekly repeat. Choose weekly too.')
  const target = { deviceId: String(before.deviceId), switchId: String(before.switchId) }
  // The end date is the day of `once` but the last day of the others, so it is dropped when one becomes the other.
  const isOnce = (repeatType: string): boolean => repeatType === 'once'
  const endDate = isOnce(patch.repeatType ?? before.repeatType) === isOnce(before.repeatType) ? before.endDate : null
  return { ...known, isActive: undefined, endDate, ...target, ...given, repeatDays }
}
