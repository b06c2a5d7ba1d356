/** A clock that was set by `ms`, and what it showed then. The id tells which times were moved already, if moving was interrupted. */
export interface ClockSet {
  id: string
  ms: number
  now: Date
}

/** Returns an expression that moves a date along with the clock, unless it was recorded since the clock was set forward. */
export const movedBy = ({ ms, now }: ClockSet, date: string) => ({
  $cond: [{ $gt: [date, new Date(now.getTime() - ms)] }, date, { $add: [date, ms] }]
})
