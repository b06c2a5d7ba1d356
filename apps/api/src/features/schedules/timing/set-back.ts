import { scheduleLateLimitMs } from '@batti/contracts'
import type { instantOf } from './next-run.ts'
import { planSchedule, startedRunOf } from './plan-schedule.ts'
import type { ScheduleDocument, WaitedFor } from '../schedule.model.ts'

/** Returns what to remember when a clock set back moves a plan to an earlier time: after several moves, the latest plan. */
export function waitedFor({ next, runDate, beforeSetBack }: Pick<ScheduleDocument, keyof WaitedFor | 'beforeSetBack'>) {
  if (next === null) return null
  return beforeSetBack && beforeSetBack.next.at > next.at ? beforeSetBack : { runDate, next }
}

/**
 * Returns the plan to restore for a schedule that is due only because the clock was set back wrongly; null if it is
 * really due. A plan that skips the next occurrence was made by a clock that was ahead.
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
