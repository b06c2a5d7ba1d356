import type { ScheduleRecord } from '@batti/contracts'

/** Sorts by the next run; inactive schedules are last, by name. */
function inOrder(schedules: readonly ScheduleRecord[]): ScheduleRecord[] {
  const nextOf = ({ isActive, nextRunAt }: ScheduleRecord) =>
    isActive && nextRunAt !== null ? Date.parse(nextRunAt) : Number.POSITIVE_INFINITY
  return schedules.toSorted((a, b) => {
    const [nextA, nextB] = [nextOf(a), nextOf(b)]
    return nextA === nextB ? a.label.localeCompare(b.label) : nextA - nextB
  })
}

/**
 * Sorts schedules but keeps known places, so that a card does not move when it is set inactive; a new one is put before
 * its successor.
 */
export function keptOrder(places: readonly string[], schedules: readonly ScheduleRecord[]): ScheduleRecord[] {
  const sorted = inOrder(schedules)
  const kept = places.flatMap((id) => sorted.find(({ _id }) => _id === id) ?? [])
  for (const added of sorted.filter((each) => !kept.includes(each)).toReversed()) {
    const next = sorted.slice(sorted.indexOf(added) + 1).find((each) => kept.includes(each))
    kept.splice(next === undefined ? kept.length : kept.indexOf(next), 0, added)
  }
  return kept
}
