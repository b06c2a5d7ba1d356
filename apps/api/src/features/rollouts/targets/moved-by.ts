/** A clock that was set by `ms`, and what it shows now. */
export interface ClockSet {
  ms: number
  now: Date
}

/** Returns an expression that moves a date along with the clock, unless it was recorded since the clock was set forward. */
export const movedBy = ({ ms, now }: ClockSet, date: string) => ({
  $cond: [{ $gt: [date, new Date(now.getTime() - ms)] }, date, { $add: [date, ms] }]
})
