import type { ScheduleRecord } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { conflict, notFound } from '../../platform/app-error.ts'
import { idle, neverRuns, planSchedule } from './timing/plan-schedule.ts'
import { timingOf } from './timing/schedule-timing.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { SchedulesOptions } from './schedules.options.ts'

type ToggleOptions = Pick<
  SchedulesOptions,
  'schedules' | 'occurrences' | 'targets' | 'boardCopies' | 'directory' | 'clock' | 'tzVersion'
> & {
  load(actor: Actor, id: string): Promise<ScheduleDocument>
  presentById(id: string): Promise<ScheduleRecord>
}

/** Activates or deactivates a schedule, or toggles it if the wanted state is not given. */
export function createToggleSchedule(options: ToggleOptions) {
  const { schedules, occurrences, targets, boardCopies, directory, clock, tzVersion, load, presentById } = options

  /**
   * PATCH /schedules/toggle/{id}. Idempotent with `wanted`, so that it can be retried after a lost answer.
   * @throws NOT_FOUND, CONFLICT when there is nothing left to run.
   */
  return async function toggle(actor: Actor, id: string, wanted?: boolean): Promise<ScheduleRecord> {
    const before = await load(actor, id)
    const device = await directory.find(String(before.deviceId))
    if (device === null) throw notFound('Schedule')
    const isActive = wanted ?? !before.isActive
    if (isActive === before.isActive) return presentById(id)
    const context = { now: clock.now(), zone: await targets.zoneOf(device), startedRun: null }
    const timing = timingOf(before, context.zone)
    const plan = planSchedule(timing, context)
    if (isActive && neverRuns(timing, plan, context) !== null) {
      throw conflict('The end date has passed. Choose a later one to set the schedule active.')
    }
    const fields = isActive ? { ...plan, tzVersion, isActive } : { ...idle, isActive }
    // The schedule fired or was changed meanwhile: retry with its current state.
    if (!(await schedules.update(before, fields, false))) return toggle(actor, id, wanted)
    if (!isActive) {
      await occurrences.supersede(before, new Date(clock.now()))
      await occurrences.skipOfSchedules([id], 'the schedule was switched off')
    }
    await boardCopies.changed(device.id)
    return presentById(id)
  }
}
