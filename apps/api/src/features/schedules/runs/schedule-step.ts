import { ruleOf } from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import { nextOccurrences, occurrenceAfter, type instantOf } from '../timing/next-run.ts'
import { idle, startedRunOf, waitingFor } from '../timing/plan-schedule.ts'
import type { ScheduleDocument } from '../schedule.model.ts'
import type { PlanStep } from '../schedules.repository.ts'

/** Older occurrences are not even logged as missed: nobody reads a week of them. */
const forgottenMs = 7 * dayMs

/** Returns the next step of a schedule after it has fired. */
export function stepAfter(schedule: ScheduleDocument, now: number, resolve: typeof instantOf): PlanStep {
  const { next, timezone } = schedule
  const rule = ruleOf(schedule, schedule.runDate)
  const oldest = now - forgottenMs
  let following =
    next === null || rule === null ? null : occurrenceAfter(rule, { ...next, at: next.at.getTime() }, timezone, resolve)
  if (rule !== null && following !== null && following.at < oldest) {
    following = nextOccurrences(rule, { after: oldest, zone: timezone, count: 1 }, resolve)[0] ?? null
  }
  // A schedule with nothing left to run becomes inactive: `once` after its end, others after their end date.
  if (following !== null) return { schedule, to: { ...waitingFor(following), isActive: true } }
  return { schedule, to: { ...idle, isActive: false, ranOut: { at: new Date(now), startedRun: startedRunOf(next) } } }
}
