import { dayMs } from '@batti/kit/durations'
import { MongoError } from '../../errors.ts'

/** @throws MongoError when no date can hold the time: an invalid date would be stored as 1970. */
export function dateAt(ms: number, name: string): Date {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) throw new MongoError(15, `date overflow in ${name}`)
  return date
}

/** Like `Date.UTC`, which treats the years 0 to 99 as 1900 to 1999. `month` counts from 0. */
export function utcMs(
  year: number,
  month: number,
  day: number,
  ...[hour = 0, minute = 0, second = 0, millisecond = 0]: readonly number[]
): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.setUTCHours(hour, minute, second, millisecond)
}

/** Returns 1 to 366 from a date's UTC fields. Shift the date to its zone first. */
export const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - utcMs(date.getUTCFullYear(), 0, 1)) / dayMs) + 1

/** Returns the Thursday of a date's ISO week, which determines the year of the week. */
export function isoThursday(date: Date): Date {
  const day = Math.floor(date.getTime() / dayMs)
  return new Date((day - ((date.getUTCDay() + 6) % 7) + 3) * dayMs)
}
export const isoWeek = (date: Date): number => Math.floor((dayOfYear(isoThursday(date)) - 1) / 7) + 1
/** Returns the week of the year. Weeks start on Sunday; days before the first Sunday are in week 0. */
export const week = (date: Date): number => Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7)
