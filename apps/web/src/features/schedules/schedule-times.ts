const dayMinutes = 24 * 60

const minutesOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

/** From start to end in seconds, past midnight where the end comes first (operations §5). Times as "HH:MM". */
export function durationSeconds(startTime: string, endTime: string): number {
  return ((minutesOf(endTime) - minutesOf(startTime) + dayMinutes) % dayMinutes) * 60
}

/** Whether a run that starts on one day ends on the next. */
export const endsNextDay = (startTime: string, endTime: string): boolean => minutesOf(endTime) < minutesOf(startTime)

/** The run as parts of a day, fractions 0 to 1: one, or two where it passes midnight. */
export function partsOfDay(startTime: string, endTime: string): { start: number; width: number }[] {
  const start = minutesOf(startTime) / dayMinutes
  const end = minutesOf(endTime) / dayMinutes
  if (!endsNextDay(startTime, endTime)) return [{ start, width: end - start }]
  return [
    { start: 0, width: end },
    { start, width: 1 - start }
  ].filter(({ width }) => width > 0)
}
