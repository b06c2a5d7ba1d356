import {
  addDays,
  endsNextDay,
  faultsOfTimes,
  minuteOf,
  ruleOf,
  type FieldFault,
  type ScheduleTimes,
  type TimesFault,
  type Weekday
} from '@batti/contracts'
import { validationError } from '../../../platform/app-error.ts'
import { instantOf, localDate, nextOccurrences, nextStartDate, type Occurrence } from './next-run.ts'
import type { PlannedOccurrence, ScheduleDocument } from '../schedule.model.ts'

/** When a schedule runs, as people set it. */
export type Timing = Omit<ScheduleTimes, 'repeatDays'> & { repeatDays: Weekday[] }

export interface PlanContext {
  /** Milliseconds since the epoch. */
  now: number
  zone: string
  /** The current run whose end is still due, so that a change of times does not leave the lamp on forever. */
  startedRun: string | null
  /** For callers that plan many schedules. */
  resolve?: typeof instantOf
}

export type Plan = Pick<ScheduleDocument, 'runDate' | 'next' | 'nextRunAt' | 'timezone' | 'beforeSetBack'>

/** Returns what a schedule waits for; `next` is null if nothing is left. `once` without a date means its next start. */
export function planSchedule(timing: Timing, context: PlanContext): Plan {
  const { now, zone, startedRun, resolve = instantOf } = context
  const planned = (runDate: string | null): Plan => {
    const rule = ruleOf(timing, runDate)
    const [next] = rule === null ? [] : nextOccurrences(rule, { after: now, zone, count: 1, startedRun }, resolve)
    return { runDate, timezone: zone, beforeSetBack: null, ...waitingFor(next ?? null) }
  }
  if (timing.repeatType !== 'once') return planned(null)
  if (timing.endDate !== null) return planned(timing.endDate)
  const running = startedRun === null ? null : planned(startedRun)
  return running !== null && running.next !== null
    ? running
    : planned(nextStartDate(minuteOf(timing.startTime), now, zone))
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

/** Returns the date on which the run starts that ends on `date`. */
export const runThatEnds = ({ startTime, endTime }: Pick<Timing, 'startTime' | 'endTime'>, date: string): string =>
  endsNextDay(minuteOf(startTime), minuteOf(endTime)) ? addDays(date, -1) : date

/** The run that an active schedule is in the middle of. */
export const runningOf = (schedule: Pick<ScheduleDocument, 'isActive' | 'next'> | null): string | null =>
  schedule?.isActive === true ? startedRunOf(schedule.next) : null

const faultOf: Record<TimesFault, FieldFault> = {
  sameTimes: { path: 'endTime', message: 'Start time and end time must differ.' },
  needDay: { path: 'repeatDays', message: 'Please select at least one day for a weekly repeat.' }
}

/** Returns the faults of a schedule's times that do not depend on the current time. */
export const faultsOfTiming = (timing: Timing): FieldFault[] => faultsOfTimes(timing).map((fault) => faultOf[fault])

/** Returns why an active schedule would never run; null if it will. */
export function neverRuns(timing: Timing, plan: Plan, context: PlanContext): FieldFault | null {
  if (timing.endDate !== null && timing.endDate < localDate(context.now, context.zone)) {
    return { path: 'endDate', message: 'The end date has passed.' }
  }
  return plan.next === null
    ? { path: 'endDate', message: 'The schedule would not run any more before its end date.' }
    : null
}

/** Plans an active schedule. @throws AppError VALIDATION if it would never run. */
export function planOrRefuse(timing: Timing, context: PlanContext): Plan {
  const plan = planSchedule(timing, context)
  const fault = neverRuns(timing, plan, context)
  if (fault !== null) throw validationError([fault])
  return plan
}

/** The plan of a schedule that a person switched off. */
export const idle = { next: null, nextRunAt: null, ranOut: null, beforeSetBack: null } as const
