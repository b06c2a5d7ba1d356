import { scheduleLateLimitMs } from '@batti/contracts'
import type { instantOf } from './next-run.ts'
import { planSchedule, startedRunOf } from './plan-schedule.ts'
import type { ScheduleDocument, WaitedFor } from './schedule.model.ts'

/** What to remember of a plan that a clock set back moves forward: of several such moves the latest plan. */
export function waitedFor({ next, runDate, beforeSetBack }: Pick<ScheduleDocument, keyof WaitedFor | 'beforeSetBack'>) {
  if (next === null) return null
  return beforeSetBack && beforeSetBack.next.at > next.at ? beforeSetBack : { runDate, next }
}

/**
 * What a schedule that is due waits for again, since the clock that was set back was behind; null for one that is truly
 * due. A plan that skips what comes next was made by a clock that was ahead.
 */
export function planBeforeSetBack(
  schedule: ScheduleDocument,
  now: number,
  resolve: typeof instantOf
): WaitedFor | null {
  const { next, beforeSetBack, timezone } = schedule
  if (next === null || !beforeSetBack || beforeSetBack.next.at <= next.at) return null
  if (now - next.at.getTime() <= scheduleLateLimitMs) return null
  const startedRun = startedRunOf(beforeSetBack.next)
  const { nextRunAt } = planSchedule(schedule, { now, zone: timezone, startedRun, resolve })
  return nextRunAt !== null && beforeSetBack.next.at > nextRunAt ? null : beforeSetBack
}
