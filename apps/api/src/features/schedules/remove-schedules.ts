import type { Actor } from '../../platform/people/actor.ts'
import { notFound } from '../../platform/app-error.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { SchedulesOptions } from './schedules.options.ts'

type RemovalOptions = Pick<SchedulesOptions, 'schedules' | 'occurrences' | 'boardCopies'> & {
  load(actor: Actor, id: string): Promise<ScheduleDocument>
}

const wasDeleted = 'the schedule was deleted'

/** Deletes schedules, their pending occurrences and the boards' copies. */
export function createScheduleRemoval({ schedules, occurrences, boardCopies, load }: RemovalOptions) {
  return {
    /** DELETE /schedules/{id}. @throws NOT_FOUND for a schedule that is not the caller's. */
    async remove(actor: Actor, id: string): Promise<void> {
      const schedule = await load(actor, id)
      if (!(await schedules.delete(id))) throw notFound('Schedule')
      await occurrences.skipOfSchedules([id], wasDeleted)
      await boardCopies.changed(String(schedule.deviceId))
    },
    /** Deletes all schedules of a board or switch that was deleted or changed its owner. */
    async deleteOf(what: { deviceId: string } | { switchId: string }): Promise<void> {
      const { deviceIds, scheduleIds } = await schedules.deleteWhere(what)
      await occurrences.skipOfSchedules(scheduleIds, wasDeleted)
      for (const deviceId of deviceIds) await boardCopies.changed(deviceId)
    },
    /** Deletes all schedules of a deleted account. */
    async eraseOfUser(userId: string): Promise<void> {
      const { deviceIds, scheduleIds } = await schedules.deleteWhere({ userId })
      await occurrences.deleteOfSchedules(scheduleIds)
      for (const deviceId of deviceIds) await boardCopies.changed(deviceId)
    }
  }
}
