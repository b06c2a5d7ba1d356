import { endsNextDay, minuteOf } from '@batti/contracts'

const dayMinutes = 24 * 60

/** Returns the run as parts of a day, fractions 0 to 1: one, or two if it passes midnight. */
export function partsOfDay(startTime: string, endTime: string): { start: number; width: number }[] {
  const [startMinute, endMinute] = [minuteOf(startTime), minuteOf(endTime)]
  const start = startMinute / dayMinutes
  const end = endMinute / dayMinutes
  if (!endsNextDay(startMinute, endMinute)) return [{ start, width: end - start }]
  return [
    { start: 0, width: end },
    { start, width: 1 - start }
  ].filter(({ width }) => width > 0)
}
