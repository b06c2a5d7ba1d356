import type { ScheduleRecord } from '@batti/contracts'

/** What comes next first; what does not run at the end, by name. */
export function inOrder(schedules: readonly ScheduleRecord[]): ScheduleRecord[] {
  const nextOf = ({ isActive, nextRunAt }: ScheduleRecord) =>
    isActive && nextRunAt !== null ? Date.parse(nextRunAt) : Number.POSITIVE_INFINITY
  return schedules.toSorted((a, b) => {
    const [nextA, nextB] = [nextOf(a), nextOf(b)]
    return nextA === nextB ? a.label.localeCompare(b.label) : nextA - nextB
  })
}
