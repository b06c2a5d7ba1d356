import { weekdays, type Weekday } from './constants.ts'
import type { ScheduleEntry } from './mqtt/payloads.ts'

/** On which local dates a time of the day comes again; `until` is the last of them, null means for ever. */
export type Repeat =
  | { readonly every: 'day'; readonly until: string | null }
  | { readonly every: 'week'; readonly days: readonly Weekday[]; readonly until: string | null }

/**
 * What sets an outlet off, by the wall clock of its home: a time of the day again and again, or once on a date. `minute`
 * counts from local midnight. A trigger by the sun becomes a member here once a home has a place; until then the calls
 * refuse it by name.
 */
export type Trigger =
  | { readonly kind: 'clock'; readonly minute: number; readonly repeat: Repeat }
  | { readonly kind: 'at'; readonly minute: number; readonly date: string }

/** A schedule: what begins its run, and what ends it. Every start has its end, which comes before the next start. */
export interface ScheduleRule {
  readonly start: Trigger
  readonly end: Trigger
}

/** When a schedule runs, as people set it and as records have it. */
export interface ScheduleTimes {
  /** `HH:MM`; an end that is not later than the start is of the next day. */
  startTime: string
  endTime: string
  repeatType: 'once' | 'daily' | 'weekly'
  repeatDays: readonly Weekday[]
  /** The last date on which a run may start, of what repeats. */
  endDate: string | null
}

const dayMinutes = 24 * 60
const dayMs = dayMinutes * 60_000

export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
export const timeOf = (minute: number): string =>
  [Math.trunc(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * dayMs)
const weekdayOf = (date: string): Weekday | undefined => weekdays[new Date(date).getUTCDay()]
const dayAfter = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 1) % 7] ?? day

/** Whether a run that starts on one day ends on the next. */
export const endsNextDay = (startMinute: number, endMinute: number): boolean => endMinute <= startMinute

/** How long a run lasts by the wall clock. */
export const runMinutes = (startMinute: number, endMinute: number): number =>
  endMinute - startMinute + (endsNextDay(startMinute, endMinute) ? dayMinutes : 0)

/** `runMinutes` of times as records have them, in seconds. */
export const durationSeconds = (startTime: string, endTime: string): number =>
  runMinutes(minuteOf(startTime), minuteOf(endTime)) * 60

/** The rule of these times; null for `once` while its date is not known. */
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

/** The same time of the day after. */
function aDayLater(trigger: Trigger): Trigger {
  if (trigger.kind === 'at') return { ...trigger, date: addDays(trigger.date, 1) }
  const { repeat } = trigger
  const until = repeat.until === null ? null : addDays(repeat.until, 1)
  if (repeat.every === 'day') return { ...trigger, repeat: { ...repeat, until } }
  return { ...trigger, repeat: { ...repeat, days: repeat.days.map(dayAfter), until } }
}

/** Whether it fires on that local date. ISO dates compare as text. */
export function firesOn(trigger: Trigger, date: string): boolean {
  if (trigger.kind === 'at') return trigger.date === date
  const { repeat } = trigger
  if (repeat.until !== null && date > repeat.until) return false
  if (repeat.every === 'day') return true
  const weekday = weekdayOf(date)
  return weekday !== undefined && repeat.days.includes(weekday)
}

/**
 * When a run ends, milliseconds since the epoch. `endDate` is the local date of its end, `startsAt` and `endsAt` are when
 * its start and its end come by the clocks, and `instantOf` says when a minute of a local date does.
 */
export function runEndsAt(
  { start, end }: ScheduleRule,
  { endDate, startsAt, endsAt }: { endDate: string; startsAt: number; endsAt: number },
  instantOf: (date: string, minute: number) => number
): number {
  // A change of the clocks can turn the two round: the end then keeps its distance from the start,
  const kept = endsAt <= startsAt ? startsAt + runMinutes(start.minute, end.minute) * 60_000 : endsAt
  // and a run that fills nearly a day gives way to the next one.
  const isNextDay = endsNextDay(start.minute, end.minute)
  return isNextDay && firesOn(start, endDate) ? Math.min(kept, instantOf(endDate, start.minute)) : kept
}

/** The local dates on which it fires, from `first` on, in order. */
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

/** What is wrong with times, whoever looks at them. */
export type TimesFault = 'sameTimes' | 'needDay'
export function faultsOfTimes({ startTime, endTime, repeatType, repeatDays }: Omit<ScheduleTimes, 'endDate'>) {
  const faults: TimesFault[] = []
  if (startTime === endTime) faults.push('sameTimes')
  if (repeatType === 'weekly' && repeatDays.length === 0) faults.push('needDay')
  return faults
}

type EntryTimes = Pick<ScheduleEntry, 'time' | 'repeat' | 'days' | 'date' | 'endDate'>

/** A trigger as a line of a board's timetable. */
export function triggerToWire(trigger: Trigger): EntryTimes {
  const time = timeOf(trigger.minute)
  if (trigger.kind === 'at') return { time, repeat: 'once', date: trigger.date }
  const { repeat } = trigger
  const end = repeat.until === null ? {} : { endDate: repeat.until }
  return repeat.every === 'day'
    ? { time, repeat: 'daily', ...end }
    : { time, repeat: 'weekly', days: [...repeat.days], ...end }
}

/** What a line of a timetable says; null for `once` without a date, which never fires. */
export const triggerFromWire = ({ time, repeat, days = [], date, endDate }: EntryTimes): Trigger | null =>
  triggerOf(
    minuteOf(time),
    { startTime: time, endTime: time, repeatType: repeat, repeatDays: days, endDate: endDate ?? null },
    date ?? null
  )
