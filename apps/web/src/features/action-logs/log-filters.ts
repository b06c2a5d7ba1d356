import { changeSources, type ChangeSource } from '@batti/contracts'

/** Periods, counted in days before today; `today` is today only. */
export const periods = ['today', 'yesterday', '7-days', '30-days'] as const
export type Period = (typeof periods)[number]

/**
 * The filters of the log; kept in the address, so that links and the back button keep them. `day`: a period or
 * `YYYY-MM-DD`.
 */
export interface LogFilters {
  switchId: string | null
  from: ChangeSource | null
  day: Period | (string & {}) | null
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const isPeriod = (value: string): value is Period => periods.some((period) => period === value)
const isSource = (value: string): value is ChangeSource => changeSources.some((source) => source === value)
/** Browsers read 30 February as 2 March, or not at all. */
const isDate = (value: string) =>
  datePattern.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value)

/** Reads the filters from the address; unknown values are ignored. */
export function readFilters(params: URLSearchParams): LogFilters {
  const from = params.get('from') ?? ''
  const day = params.get('day') ?? ''
  return {
    switchId: params.get('switch'),
    from: isSource(from) ? from : null,
    day: isPeriod(day) || isDate(day) ? day : null
  }
}

export function writeFilters({ switchId, from, day }: LogFilters): Record<string, string> {
  return {
    ...(switchId !== null && { switch: switchId }),
    ...(from !== null && { from }),
    ...(day !== null && { day })
  }
}

/** Returns the midnight `days` before the day of `now`, by the browser's calendar. */
function midnight(now: number, days: number): Date {
  const at = new Date(now)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - days)
}

/** Returns the last millisecond before `next`, as the call's `until` is inclusive. */
const before = (next: Date): string => new Date(next.getTime() - 1).toISOString()

/** Returns the period as the call's first and last instant, by the browser's calendar. */
export function periodOf(day: LogFilters['day'], now: number): { since?: string; until?: string } {
  if (day === null) return {}
  if (day === 'today') return { since: midnight(now, 0).toISOString() }
  if (day === 'yesterday') return { since: midnight(now, 1).toISOString(), until: before(midnight(now, 0)) }
  if (day === '7-days') return { since: midnight(now, 6).toISOString() }
  if (day === '30-days') return { since: midnight(now, 29).toISOString() }
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return {
    since: new Date(year, month - 1, date).toISOString(),
    until: before(new Date(year, month - 1, date + 1))
  }
}
