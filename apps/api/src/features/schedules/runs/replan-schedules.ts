import type { Clock } from '@batti/kit/clock'
import type { DeviceDirectory } from '../../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../../boards/registry/live-device.ts'
import { clocksApartMs } from '../../../platform/clocks-apart.ts'
import { inBatches } from '../../../platform/store/batches/in-batches.ts'
import type { BoardCopies } from '../board/board-copies.ts'
import { missedLogId } from './missed-notices.ts'
import { rememberInstants, type instantOf } from '../timing/next-run.ts'
import { endsOfRuns, leaseMs, scheduleIdOf, type Planned } from './occurrence-claims.ts'
import type { OccurrencesRepository } from './occurrences.repository.ts'
import { planSchedule, runThatEnds, startedRunOf, type Plan } from '../timing/plan-schedule.ts'
import type { ScheduleDocument } from '../schedule.model.ts'
import type { ScheduleTargets } from '../schedule-targets.ts'
import type { SchedulesRepository, WaitingSchedule } from '../schedules.repository.ts'
import { planBeforeSetBack, waitedFor } from '../timing/set-back.ts'

export interface ReplanOptions {
  schedules: Pick<
    SchedulesRepository,
    'findByDevice' | 'findPlannedOtherwise' | 'findMaybeSkipping' | 'findWaiting' | 'findRanOutAfter' | 'replan'
  >
  occurrences: Pick<OccurrencesRepository, 'doubtMissedAfter' | 'forgetDoubted' | 'shortenLeases'>
  removeLogs(ids: readonly string[]): Promise<void>
  targets: Pick<ScheduleTargets, 'zoneOf'>
  boardCopies: BoardCopies
  directory: Pick<DeviceDirectory, 'find'>
  clock: Clock
  /** The version of this process's time zone database. */
  tzVersion: string
}

const batchSize = 500

/** Recomputes plans after their inputs have changed. Past occurrences are kept. */
export function createReplanning(options: ReplanOptions) {
  const { schedules, targets, boardCopies, directory, clock, tzVersion } = options

  async function replan(schedule: ScheduleDocument, device: LiveDevice | null): Promise<void> {
    const isDue = schedule.nextRunAt !== null && schedule.nextRunAt.getTime() <= clock.now()
    // A due occurrence fires as planned, and one without a board is left to the runner to skip.
    if (isDue || device === null) return schedules.replan(schedule, { tzVersion })
    const zone = await targets.zoneOf(device)
    const { next } = schedule
    const startedRun = startedRunOf(next)
    const planFrom = (now: number): Plan => planSchedule(schedule, { now, zone, startedRun })
    const first = planFrom(clock.now())
    // A run that has begun only needs its end, even if its start is still to come in the new zone.
    const { next: coming } = first
    const isToBegin = coming?.phase === 'start' && coming.runDate === startedRun
    const plan = isToBegin ? planFrom(coming.at.getTime()) : first
    const isOverThere = startedRun !== null && plan.next?.runDate !== startedRun
    // If the run is over in the new zone, it ends at the old time, unless the next one begins before: the lamp is not left on.
    if (isOverThere && next !== null && (plan.next === null || plan.next.at >= next.at))
      return schedules.replan(schedule, { timezone: zone, tzVersion })
    return schedules.replan(schedule, { ...plan, tzVersion, isActive: plan.next !== null })
  }

  /** Plans what these occurrences, which only a clock that was ahead has claimed or missed, were of. */
  async function repeat(occurrences: readonly Planned[], ahead: Date, resolve: typeof instantOf): Promise<void> {
    const ends = endsOfRuns(occurrences)
    const runOf = (schedule: Parameters<typeof runThatEnds>[0] & Pick<ScheduleDocument, '_id'>): string | null => {
      const date = ends.get(String(schedule._id))
      return date === undefined ? null : runThatEnds(schedule, date)
    }
    for (const ids of inBatches([...new Set(occurrences.map(({ _id }) => scheduleIdOf(_id)))])) {
      for (const schedule of await schedules.findWaiting(ids.filter((id) => ends.has(id))))
        await planEarlier(schedule, runOf(schedule), resolve)
      for (const schedule of await schedules.findRanOutAfter(ids, ahead)) {
        // For `once` this is the same run, not the next such time.
        const timing = { ...schedule, endDate: schedule.runDate ?? schedule.endDate }
        const startedRun = runOf(schedule) ?? schedule.ranOut?.startedRun ?? null
        const plan = planSchedule(timing, { now: clock.now(), zone: schedule.timezone, startedRun, resolve })
        if (plan.next === null) continue
        await schedules.replan(schedule, { ...plan, isActive: true, ranOut: null })
        await boardCopies.changed(String(schedule.deviceId))
      }
    }
  }

  /** Plans a schedule anew if it then runs earlier. */
  async function planEarlier(
    schedule: WaitingSchedule,
    startedRun: string | null,
    resolve: typeof instantOf
  ): Promise<void> {
    const plan = planSchedule(schedule, { now: clock.now(), zone: schedule.timezone, startedRun, resolve })
    if (plan.nextRunAt === null || schedule.nextRunAt === null || plan.nextRunAt >= schedule.nextRunAt) return
    await schedules.replan(schedule, { ...plan, beforeSetBack: waitedFor(schedule) })
    if (plan.runDate !== schedule.runDate) await boardCopies.changed(String(schedule.deviceId))
  }

  async function forget(which: Parameters<typeof options.occurrences.forgetDoubted>[0]): Promise<string[]> {
    const forgotten = await options.occurrences.forgetDoubted(which)
    await options.removeLogs(forgotten.map(missedLogId))
    return forgotten
  }

  return {
    /** Forgets that these were missed, if only a clock that was ahead may have missed them. Returns which of them that was. */
    forgetMissed: (ids: readonly string[]) => forget({ _id: { $in: [...ids] } }),
    /** Forgets what a clock that was ahead has missed. Call when the clock has been trusted for long enough. */
    forgetMissedAhead: () => forget({ dueAt: { $gt: new Date(clock.now() + clocksApartMs) } }),

    /** Replans the schedules of a board whose zone has changed. */
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

    /**
     * Replans schedules that skip their next occurrence, because they were planned while the wall clock was ahead. What has
     * run keeps its row and does not run again; what was missed or claimed only by that clock can still fire. What was missed
     * stays in the log until then, because the clock may have been right before, unless it was missed after `setForwardAt`.
     */
    async replanSkipped(setForwardAt: Date | null): Promise<void> {
      const now = clock.now()
      const ahead = new Date(now + clocksApartMs)
      const missed = await options.occurrences.doubtMissedAfter(ahead)
      if (setForwardAt !== null) await forget({ dueAt: { $gt: ahead }, claimedAt: { $gte: setForwardAt } })
      const claimed = await options.occurrences.shortenLeases(
        new Date(ahead.getTime() + leaseMs),
        new Date(now + leaseMs)
      )
      const resolve = rememberInstants()
      await repeat([...missed, ...claimed], ahead, resolve)
      for await (const page of schedules.findMaybeSkipping(new Date(now)))
        for (const schedule of page) await planEarlier(schedule, startedRunOf(schedule.next), resolve)
    },

    /**
     * The clock may have been right before it was set back: a machine without a battery-backed clock starts with last week's
     * time. Restores plans that were moved forward then and are long overdue. Returns the schedules that are really due.
     */
    async takeUpAgain(due: readonly ScheduleDocument[]): Promise<readonly ScheduleDocument[]> {
      const now = clock.now()
      const resolve = rememberInstants()
      const others: ScheduleDocument[] = []
      for (const schedule of due) {
        const before = planBeforeSetBack(schedule, now, resolve)
        if (before === null) others.push(schedule)
        else {
          await schedules.replan(schedule, { ...before, nextRunAt: before.next.at, beforeSetBack: null })
          if (before.runDate !== schedule.runDate) await boardCopies.changed(String(schedule.deviceId))
        }
      }
      return others
    },

    /** Replans schedules that were planned with another time zone database. */
    async replanForNewZones(): Promise<void> {
      for (;;) {
        const old = await schedules.findPlannedOtherwise(tzVersion, batchSize)
        for (const schedule of old) await replan(schedule, await directory.find(String(schedule.deviceId)))
        if (old.length < batchSize) return
      }
    }
  }
}
