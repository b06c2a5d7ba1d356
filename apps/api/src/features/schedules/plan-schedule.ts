import type { FieldFault, Weekday } from '@batti/contracts'
import { localDate, nextOccurrences, nextStartDate, type Occurrence, type Timetable } from './next-run.ts'
import type { PlannedOccurrence, ScheduleDocument } from './schedule.model.ts'

/** When a schedule runs, as people set it. */
export type Timing = Omit<Timetable, 'runDate' | 'repeatDays'> & { repeatDays: Weekday[] }

export interface PlanContext {
  /** Milliseconds since the epoch. */
  now: number
  zone: string
  /** The run that has begun and whose end is still owed: a change of its times does not leave the lamp on for ever. */
  startedRun: string | null
}

export type Plan = Pick<ScheduleDocument, 'runDate' | 'next' | 'nextRunAt' | 'timezone'>

/**
 * What a schedule waits for from now on; `next` is null when nothing comes any more. `once` without a date means its
 * next start. Source: contract-decisions §5.
 */
export function planSchedule(timing: Timing, context: PlanContext): Plan {
  const { now, zone, startedRun } = context
  const planned = (runDate: string | null): Plan => {
    const [next] = nextOccurrences({ ...timing, runDate }, { after: now, zone, count: 1, startedRun })
    return { runDate, timezone: zone, ...waitingFor(next ?? null) }
  }
  if (timing.repeatType !== 'once') return planned(null)
  if (timing.endDate !== null) return planned(timing.endDate)
  const running = startedRun === null ? null : planned(startedRun)
  return running !== null && running.next !== null ? running : planned(nextStartDate(timing.startTime, now, zone))
}

export function waitingFor(next: Occurrence | null): Pick<ScheduleDocument, 'next' | 'nextRunAt'> {
  if (next === null) return { next: null, nextRunAt: null }
  const { phase, date, runDate, isShifted } = next
  const at = new Date(next.at)
  return { next: { phase, date, runDate, at, isShifted }, nextRunAt: at }
}

/** A schedule that waits for an end is in the middle of a run. */
export const startedRunOf = (next: PlannedOccurrence | null): string | null =>
  next?.phase === 'end' ? next.runDate : null

export const timetableOf = (schedule: ScheduleDocument): Timetable => ({
  startTime: schedule.startTime,
  endTime: schedule.endTime,
  repeatType: schedule.repeatType,
  repeatDays: schedule.repeatDays,
  endDate: schedule.endDate,
  runDate: schedule.runDate
})

/** What is wrong with the times of a schedule, whenever it is looked at. Sentences: operations §5. */
export function faultsOfTiming({ startTime, endTime, repeatType, repeatDays }: Timing): FieldFault[] {
  const faults: FieldFault[] = []
  if (startTime === endTime) faults.push({ path: 'endTime', message: 'Start time and end time must differ.' })
  if (repeatType === 'weekly' && repeatDays.length === 0) {
    faults.push({ path: 'repeatDays', message: 'Please select at least one day for a weekly repeat.' })
  }
  return faults
}

/** Why an active schedule would never run; null when it will. */
export function neverRuns(timing: Timing, plan: Plan, context: PlanContext): FieldFault | null {
  if (timing.endDate !== null && timing.endDate < localDate(context.now, context.zone).toString()) {
    return { path: 'endDate', message: 'The end date has passed.' }
  }
  return plan.next === null
    ? { path: 'endDate', message: 'The schedule would not run any more before its end date.' }
    : null
}
