import { minuteMs } from '@batti/kit/durations'
import { MongoError } from '../../errors.ts'
import { utcMs } from './date-calendar.ts'

/** Formats a date like MongoDB's `$toString`. */
export const isoText = (date: Date): string => date.toISOString()

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/

/** Parses ISO 8601, as UTC if there is no offset. Other formats throw ConversionFailure. */
export function parseIsoDate(text: string): Date {
  const match = ISO.exec(text.trim())
  const parsed = match ? read(match) : Number.NaN
  if (Number.isNaN(parsed)) {
    throw new MongoError(
      241,
      `Error parsing date string '${text}'; 0: passing a time zone identifier as part of the string is not allowed ''`
    )
  }
  return new Date(parsed)
}

function read(match: RegExpExecArray): number {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match
  const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  if (m < 1 || m > 12 || d < 1 || h > 24 || min > 59 || s > 59) return Number.NaN
  // Otherwise an invalid day would become a day of the next month.
  if (new Date(utcMs(y, m - 1, d)).getUTCDate() !== d) return Number.NaN
  const at = utcMs(y, m - 1, d, h, min, s, Number(fraction.padEnd(3, '0').slice(0, 3)))
  if (zone === 'Z') return at
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.replace(/\D/g, '')
  return at - sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * minuteMs
}
