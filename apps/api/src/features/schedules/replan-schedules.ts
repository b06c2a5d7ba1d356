import type { Clock } from '@batti/kit/clock'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { BoardCopies } from './board-copies.ts'
import { planSchedule, startedRunOf } from './plan-schedule.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { ScheduleTargets } from './schedule-targets.ts'
import type { SchedulesRepository } from './schedules.repository.ts'

export interface ReplanOptions {
  schedules: Pick<SchedulesRepository, 'findByDevice' | 'findPlannedOtherwise' | 'replan'>
  targets: Pick<ScheduleTargets, 'zoneOf'>
  boardCopies: BoardCopies
  directory: Pick<DeviceDirectory, 'find'>
  clock: Clock
  /** Names the time zone database of this process. */
  tzVersion: string
}

const batchSize = 500

/** Computes plans anew when what they were computed with has changed. What has been stays. */
export function createReplanning({ schedules, targets, boardCopies, directory, clock, tzVersion }: ReplanOptions) {
  async function replan(schedule: ScheduleDocument, device: LiveDevice | null): Promise<void> {
    const isDue = schedule.nextRunAt !== null && schedule.nextRunAt.getTime() <= clock.now()
    // What is due already fires as it was planned, and one without a board is the runner's to skip.
    if (isDue || device === null) return schedules.replan(schedule, { tzVersion })
    const zone = await targets.zoneOf(device)
    const plan = planSchedule(schedule, { now: clock.now(), zone, startedRun: startedRunOf(schedule.next) })
    return schedules.replan(schedule, { ...plan, tzVersion, isActive: plan.next !== null })
  }

  return {
    /** A board stands in another zone now. */
    async rezone(deviceId: string): Promise<void> {
      const device = await directory.find(deviceId)
      if (device === null) return
      const zone = await targets.zoneOf(device)
      const moved = (await schedules.findByDevice(deviceId)).filter(({ timezone }) => timezone !== zone)
      for (const schedule of moved) {
        if (schedule.nextRunAt === null) await schedules.replan(schedule, { timezone: zone })
        else await replan(schedule, device)
      }
      if (moved.length > 0) await boardCopies.changed(deviceId)
    },

    /** This process knows other rules of zones than the one that made the plans. */
    async replanForNewZones(): Promise<void> {
      for (;;) {
        const old = await schedules.findPlannedOtherwise(tzVersion, batchSize)
        for (const schedule of old) await replan(schedule, await directory.find(String(schedule.deviceId)))
        if (old.length < batchSize) return
      }
    }
  }
}
