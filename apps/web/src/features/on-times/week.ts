import type { OnTime } from './api/list-on-times.ts'

/** Returns the total on-time of a switch over all days of the answer, in seconds. */
export const weekSeconds = ({ days }: Pick<OnTime, 'days'>): number =>
  days.reduce((sum, { seconds }) => sum + seconds, 0)

/** Sorts by on-time, longest first; equal ones keep their order. */
export const byTimeOn = (switches: readonly OnTime[]): OnTime[] =>
  switches.toSorted((a, b) => weekSeconds(b) - weekSeconds(a))

/** Returns the longest on-time of one switch on one day: the common scale of charts shown together. */
export const longestDay = (switches: readonly Pick<OnTime, 'days'>[]): number =>
  Math.max(0, ...switches.flatMap(({ days }) => days.map(({ seconds }) => seconds)))
