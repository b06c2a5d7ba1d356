import { weekdays, type Weekday } from './constants.ts'
import type { ScheduleEntry } from './mqtt/payloads.ts'

/** The local dates on which a time of day recurs; `until` is the last one, null means forever. */
export type Repeat =
  | { readonly every: 'day'; readonly until: string | null }
  | { readonly every: 'week'; readonly days: readonly Weekday[]; readonly until: string | null }

/**
 * What fires an outlet's action, by the wall clock of its home: a recurring time of day, or one date. `minute` counts
 * from local midnight. A sun trigger becomes a member once a home has a location; until then the calls refuse it
 * explicitly.
 */
export type Trigger =
  | { readonly kind: 'clock'; readonly minute: number; readonly repeat: Repeat }
  | { readonly kind: 'at'; readonly minute: number; readonly date: string }

/** A schedule: the triggers that start and end its runs. Every run ends before the next one starts. */
export interface ScheduleRule {
  readonly start: Trigger
  readonly end: Trigger
}

/** When a schedule runs, as people set it and as records store it. */
export interface ScheduleTimes {
  /** `HH:MM`; an end that is not later than the start is on the next day. */
  startTime: string
  endTime: string
  repeatType: 'once' | 'daily' | 'weekly'
  repeatDays: readonly Weekday[]
  /** For repeating schedules: the last date on which a run may start. */
  endDate: string | null
}

const dayMinutes = 24 * 60
const dayMs = dayMinutes * 60_000

export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
export const timeOf = (minute: number): string =>
  [Math.trunc(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** The last date of four-digit years, with which programs mean "for ever". There is none after it on the wire. */
export const lastDate = '9999-12-31'

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * dayMs)
/** Returns the date after `date`; the last of all stays. */
export const dateAfter = (date: string): string => (date === lastDate ? date : addDays(date, 1))
const weekdayOf = (date: string): Weekday | undefined => weekdays[new Date(date).getUTCDay()]
const dayAfter = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 1) % 7] ?? day

/** Whether a run that starts on one day ends on the next. */
export const endsNextDay = (startMinute: number, endMinute: number): boolean => endMinute <= startMinute

/** Returns the length of a run by the wall clock. */
export const runMinutes = (startMinute: number, endMinute: number): number =>
  endMinute - startMinute + (endsNextDay(startMinute, endMinute) ? dayMinutes : 0)

/** Returns `runMinutes` in seconds, for times in the format of records. */
export const durationSeconds = (startTime: string, endTime: string): number =>
  runMinutes(minuteOf(startTime), minuteOf(endTime)) * 60

/** Returns the rule for these times; null for `once` while its date is unknown. */
export function ruleOf(times: ScheduleTimes, runDate: string | null): ScheduleRule | null {
  const minute = minuteOf(times.startTime)
  const start = triggerOf(minute, times, runDate)
  if (start === null) return null
  const endMinute = minuteOf(times.endTime)
  return { start, end: { ...(endsNextDay(minute, endMinute) ? aDayLater(start) : start), minute: endMinute } }
}

function triggerOf(minute: number, times: ScheduleTimes, runDate: string | null): Trigger | null {
  const { repeatType, repeatDays: days, endDate: until } = times
  switch (repeatType) {
    case 'once':
      return runDate === null ? null : { kind: 'at', minute, date: runDate }
    case 'daily':
      return { kind: 'clock', minute, repeat: { every: 'day', until } }
    case 'weekly':
      return { kind: 'clock', minute, repeat: { every: 'week', days, until } }
  }
}

/** Returns the trigger moved one day later. */
function aDayLater(trigger: Trigger): Trigger {
  if (trigger.kind === 'at') return { ...trigger, date: dateAfter(trigger.date) }
  const { repeat } = trigger
  const until = repeat.until === null ? null : dateAfter(repeat.until)
  if (repeat.every === 'day') return { ...trigger, repeat: { ...repeat, until } }
  return { ...trigger, repeat: { ...repeat, days: repeat.days.map(dayAfter), until } }
}

/** Whether the trigger fires on that local date. ISO dates compare as text. */
export function firesOn(trigger: Trigger, date: string): boolean {
  if (trigger.kind === 'at') return trigger.date === date
  const { repeat } = trigger
  if (repeat.until !== null && date > repeat.until) return false
  if (repeat.every === 'day') return true
  const weekday = weekdayOf(date)
  return weekday !== undefined && repeat.days.includes(weekday)
}

/**
 * Returns when a run ends, in milliseconds since the epoch. `endDate` is the local date of its end, `startsAt` and
 * `endsAt` are the instants of its start and end by the clock; `instantOf` returns the instant of a minute of a local
 * date.
 */
export function runEndsAt(
  { start, end }: ScheduleRule,
  { endDate, startsAt, endsAt }: { endDate: string; startsAt: number; endsAt: number },
  instantOf: (date: string, minute: number) => number
): number {
  // A clock change can put the end before the start: the end then keeps its distance from the start.
  const kept = endsAt <= startsAt ? startsAt + runMinutes(start.minute, end.minute) * 60_000 : endsAt
  // A run that lasts nearly a day ends early if the next one starts before its end.
  const isNextDay = endsNextDay(start.minute, end.minute)
  return isNextDay && firesOn(start, endDate) ? Math.min(kept, instantOf(endDate, start.minute)) : kept
}

/** Yields the local dates on which the trigger fires, from `first` on, in order. */
export function* datesOf(trigger: Trigger, first: string): Generator<string> {
  if (trigger.kind === 'at') {
    if (trigger.date >= first) yield trigger.date
    return
  }
  const { repeat } = trigger
  if (repeat.every === 'week' && repeat.days.length === 0) return
  for (let date = first; repeat.until === null || date <= repeat.until; date = addDays(date, 1)) {
    if (firesOn(trigger, date)) yield date
  }
}

/** Faults in times, independent of who validates them. */
export type TimesFault = 'sameTimes' | 'needDay'
export function faultsOfTimes({ startTime, endTime, repeatType, repeatDays }: Omit<ScheduleTimes, 'endDate'>) {
  const faults: TimesFault[] = []
  if (startTime === endTime) faults.push('sameTimes')
  if (repeatType === 'weekly' && repeatDays.length === 0) faults.push('needDay')
  return faults
}

type EntryTimes = Pick<ScheduleEntry, 'time' | 'repeat' | 'days' | 'date' | 'endDate'>

/** Writes a trigger as an entry of a board's timetable. */
export function triggerToWire(trigger: Trigger): EntryTimes {
  const time = timeOf(trigger.minute)
  if (trigger.kind === 'at') return { time, repeat: 'once', date: trigger.date }
  const { repeat } = trigger
  const end = repeat.until === null ? {} : { endDate: repeat.until }
  return repeat.every === 'day'
    ? { time, repeat: 'daily', ...end }
    : { time, repeat: 'weekly', days: [...repeat.days], ...end }
}

/** Parses a timetable entry; null for `once` without a date, which never fires. */
export const triggerFromWire = ({ time, repeat, days = [], date, endDate }: EntryTimes): Trigger | null =>
  triggerOf(
    minuteOf(time),
    { startTime: time, endTime: time, repeatType: repeat, repeatDays: days, endDate: endDate ?? null },
    date ?? null
  )
