import { hourMs } from '@batti/kit/durations'

const hoursShown = 24

export const startOfHour = (at: number): number => at - (at % hourMs)

/** Returns the starts of the last 24 hours, oldest first; the last one is the current hour. */
export const lastHours = (now: number): string[] =>
  Array.from({ length: hoursShown }, (_, index) =>
    new Date(startOfHour(now) - (hoursShown - 1 - index) * hourMs).toISOString()
  )
