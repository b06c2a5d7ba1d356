import type { OnTime } from './api/list-on-times.ts'

/** How long a switch was on in all the days of the answer, in seconds. */
export const weekSeconds = ({ days }: Pick<OnTime, 'days'>): number =>
  days.reduce((sum, { seconds }) => sum + seconds, 0)

/** Those that were on longest first; equals keep their order. */
export const byTimeOn = (switches: readonly OnTime[]): OnTime[] =>
  switches.toSorted((a, b) => weekSeconds(b) - weekSeconds(a))

/** The longest on-time of one switch on one day: what the charts that stand together share as their height. */
export const longestDay = (switches: readonly Pick<OnTime, 'days'>[]): number =>
  Math.max(0, ...switches.flatMap(({ days }) => days.map(({ seconds }) => seconds)))
