import { minuteMs } from '@batti/kit/durations'
import { typeName } from '../../bson/document.ts'
import { MongoError, unsupported } from '../../errors.ts'
import { dayOfYear, isoThursday, isoWeek, week } from './date-calendar.ts'
import { isoText, parseIsoDate } from './date-text.ts'
import { asDate, offsetMinutes, utcOnly, zoneOf } from './date-zone.ts'
import { isNullish, namedArguments } from './operator-kit.ts'
import type { OperatorCompiler } from './scope.ts'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December'
]

const format = (pattern: string, date: Date, offset: number): string =>
  pattern.replaceAll(/%(.)/g, (_, letter: string) => {
    const pad = (value: number | undefined, width: number): string => String(value ?? 0).padStart(width, '0')
    switch (letter) {
      case 'Y':
        return pad(date.getUTCFullYear(), 4)
      case 'm':
        return pad(date.getUTCMonth() + 1, 2)
      case 'd':
        return pad(date.getUTCDate(), 2)
      case 'H':
        return pad(date.getUTCHours(), 2)
      case 'M':
        return pad(date.getUTCMinutes(), 2)
      case 'S':
        return pad(date.getUTCSeconds(), 2)
      case 'L':
        return pad(date.getUTCMilliseconds(), 3)
      case 'j':
        return pad(dayOfYear(date), 3)
      case 'w':
        return String(date.getUTCDay() + 1)
      case 'u':
        return String(date.getUTCDay() || 7)
      case 'U':
        return pad(week(date), 2)
      case 'V':
        return pad(isoWeek(date), 2)
      case 'G':
        return pad(isoThursday(date).getUTCFullYear(), 4)
      case 'b':
        return (months[date.getUTCMonth()] ?? '').slice(0, 3)
      case 'B':
        return months[date.getUTCMonth()] ?? ''
      case 'z':
        return `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}${pad(Math.abs(offset) % 60, 2)}`
      case 'Z':
        return String(offset)
      case '%':
        return '%'
      default:
        throw new MongoError(18536, `Invalid format character '%${letter}' in format string`)
    }
  })

/** Operators that format and parse dates. */
export const dateStrings: Readonly<Record<string, OperatorCompiler>> = {
  $dateToString: (argument, compile) => {
    const given = namedArguments('$dateToString', ['date'], ['format', 'timezone', 'onNull'], argument)
    const [date, pattern, timezone, onNull] = ['date', 'format', 'timezone', 'onNull'].map((field) =>
      compile(given[field])
    )
    return (scope) => {
      const value = date?.(scope)
      if (isNullish(value)) return Object.hasOwn(given, 'onNull') ? onNull?.(scope) : null
      const zone = Object.hasOwn(given, 'timezone') ? timezone?.(scope) : 'UTC'
      const text = Object.hasOwn(given, 'format') ? pattern?.(scope) : undefined
      if (isNullish(zone) || (Object.hasOwn(given, 'format') && isNullish(text))) return null
      const at = asDate(value)
      const offset = zone === 'UTC' ? 0 : offsetMinutes(zoneOf(zone), at)
      const shown = new Date(at.getTime() + offset * minuteMs)
      if (text === undefined) return zone === 'UTC' ? isoText(at) : format('%Y-%m-%dT%H:%M:%S.%L', shown, offset)
      if (typeof text !== 'string') throw new MongoError(18533, "$dateToString requires that 'format' be a string")
      return format(text, shown, offset)
    }
  },
  $dateFromString: (argument, compile) => {
    const given = namedArguments(
      '$dateFromString',
      ['dateString'],
      ['format', 'timezone', 'onError', 'onNull'],
      argument
    )
    if (Object.hasOwn(given, 'format')) throw unsupported('$dateFromString with a format')
    const [text, timezone, onError, onNull] = ['dateString', 'timezone', 'onError', 'onNull'].map((field) =>
      compile(given[field])
    )
    return (scope) => {
      const value = text?.(scope)
      if (isNullish(value)) return Object.hasOwn(given, 'onNull') ? onNull?.(scope) : null
      utcOnly('$dateFromString', timezone?.(scope))
      try {
        if (typeof value !== 'string')
          throw new MongoError(241, `$dateFromString requires that 'dateString' be a string, found: ${typeName(value)}`)
        return parseIsoDate(value)
      } catch (error) {
        if (Object.hasOwn(given, 'onError')) return onError?.(scope)
        throw error
      }
    }
  }
}
