import { ObjectId, Timestamp } from 'bson'
import { Long } from 'bson'
import { isDocument, typeName } from '../bson/document.ts'
import { toNumber } from '../bson/numbers.ts'
import { MongoError, unsupported } from '../errors.ts'
import { isoText, parseIsoDate } from './date-text.ts'
import type { Evaluate, OperatorCompiler } from './scope.ts'
import { isNullish, named, namedArguments } from './operator-kit.ts'

const DAY_MS = 86_400_000

const asDate = (value: unknown): Date => {
  if (value instanceof Date) return value
  if (value instanceof ObjectId) return value.getTimestamp()
  if (value instanceof Timestamp) return new Date(value.t * 1000)
  throw new MongoError(16006, `can't convert from BSON type ${typeName(value)} to Date`)
}

/** Minutes east of UTC at an instant, for an Olson name, `UTC` or an offset. */
const offsetMinutes = (zone: string, at: Date): number => {
  const fixed = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone)
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3] ?? 0))
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric'
    }).formatToParts(at)
    const part = (type: string): number => Number(parts.find((candidate) => candidate.type === type)?.value)
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return Math.round((local - Math.floor(at.getTime() / 1000) * 1000) / 60_000)
  } catch {
    throw new MongoError(40485, `unrecognized time zone identifier: "${zone}"`)
  }
}

const zoneOf = (value: unknown): string => {
  if (isNullish(value)) return 'UTC'
  if (typeof value !== 'string')
    throw new MongoError(40517, `timezone must evaluate to a string, found ${typeName(value)}`)
  return value
}

/** The date whose UTC fields are the local fields of `at` in the zone. */
const local = (at: Date, zone: string): Date =>
  zone === 'UTC' ? at : new Date(at.getTime() + offsetMinutes(zone, at) * 60_000)

const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1

/** The Thursday of a date's ISO week decides the week's year. */
const isoThursday = (date: Date): Date => {
  const day = Math.floor(date.getTime() / DAY_MS)
  return new Date((day - ((date.getUTCDay() + 6) % 7) + 3) * DAY_MS)
}
const isoWeek = (date: Date): number => Math.floor((dayOfYear(isoThursday(date)) - 1) / 7) + 1
/** Weeks start on Sunday; days before the first one are week 0. */
const week = (date: Date): number => Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7)

const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  $year: (date) => date.getUTCFullYear(),
  $month: (date) => date.getUTCMonth() + 1,
  $dayOfMonth: (date) => date.getUTCDate(),
  $hour: (date) => date.getUTCHours(),
  $minute: (date) => date.getUTCMinutes(),
  $second: (date) => date.getUTCSeconds(),
  $millisecond: (date) => date.getUTCMilliseconds(),
  $dayOfYear: dayOfYear,
  $dayOfWeek: (date) => date.getUTCDay() + 1,
  $isoDayOfWeek: (date) => date.getUTCDay() || 7,
  $week: week,
  $isoWeek: isoWeek,
  $isoWeekYear: (date) => isoThursday(date).getUTCFullYear()
}

const partOperator =
  (run: (date: Date) => number): OperatorCompiler =>
  (argument, compile) => {
    const withZone = isDocument(argument) && Object.hasOwn(argument, 'date')
    const date = compile(
      withZone ? argument['date'] : Array.isArray(argument) && argument.length === 1 ? argument[0] : argument
    )
    const zone: Evaluate = withZone && Object.hasOwn(argument, 'timezone') ? compile(argument['timezone']) : () => 'UTC'
    return (scope) => {
      const value = date(scope)
      const timezone = zone(scope)
      if (isNullish(value) || isNullish(timezone)) return null
      return run(local(asDate(value), zoneOf(timezone)))
    }
  }

const MONTHS = [
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
        return (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3)
      case 'B':
        return MONTHS[date.getUTCMonth()] ?? ''
      case 'z':
        return `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}${pad(Math.abs(offset) % 60, 2)}`
      case 'Z':
        return `${offset < 0 ? '-' : '+'}${pad(Math.abs(offset), 3)}`
      case '%':
        return '%'
      default:
        throw new MongoError(18536, `Invalid format character '%${letter}' in format string`)
    }
  })

const UNITS: Readonly<Record<string, number>> = {
  week: 7 * DAY_MS,
  day: DAY_MS,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1
}
const MONTHS_OF: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 }

const unitOf = (value: unknown): string => {
  if (typeof value !== 'string' || !(value in UNITS || value in MONTHS_OF))
    throw new MongoError(9, `unknown time unit value: ${String(value)}`)
  return value
}

/** Zone arithmetic belongs to Temporal in the api; only UTC is done here. */
const utcOnly = (name: string, zone: unknown): void => {
  if (!isNullish(zone) && !['UTC', 'Z', 'GMT', '+00', '+00:00', '+0000'].includes(zoneOf(zone)))
    throw unsupported(`${name} with a time zone`)
}

const addUnits = (date: Date, unit: string, amount: number): Date => {
  const months = MONTHS_OF[unit]
  if (months === undefined) return new Date(date.getTime() + amount * (UNITS[unit] ?? 0))
  const target = new Date(date)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + amount * months)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  return target
}

const adding = (name: string, sign: 1 | -1): OperatorCompiler =>
  named(name, ['startDate', 'unit', 'amount'], ['timezone'], ({ startDate, unit, amount, timezone }) => {
    if (isNullish(startDate) || isNullish(unit) || isNullish(amount)) return null
    utcOnly(name, timezone)
    return addUnits(asDate(startDate), unitOf(unit), sign * toNumber(amount))
  })

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const weekStart = (value: unknown): number => {
  const index = WEEKDAYS.indexOf((typeof value === 'string' ? value : 'sunday').toLowerCase().slice(0, 3))
  if (index === -1) throw new MongoError(9, `unknown day of week value: ${typeName(value)}`)
  return index
}

/** How many boundaries of a unit lie before a date. */
const boundary = (date: Date, unit: string, startOfWeek: number): number => {
  const months = MONTHS_OF[unit]
  if (months !== undefined) return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months)
  // 1 January 1970 was a Thursday.
  if (unit === 'week') return Math.floor((Math.floor(date.getTime() / DAY_MS) + 4 - startOfWeek) / 7)
  return Math.floor(date.getTime() / (UNITS[unit] ?? 1))
}

/** MongoDB counts bins of `$dateTrunc` from 2000-01-01, weeks from the first start of week after it. */
const truncate = (date: Date, unit: string, size: number, startOfWeek: number): Date => {
  const reference = Date.UTC(2000, 0, 1)
  const months = MONTHS_OF[unit]
  if (months !== undefined) {
    const since = (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth()
    const bin = Math.floor(since / (months * size)) * months * size
    return new Date(Date.UTC(2000, bin, 1))
  }
  // 1 January 2000 was a Saturday.
  const first = unit === 'week' ? reference + ((startOfWeek - 6 + 7) % 7) * DAY_MS : reference
  const length = (UNITS[unit] ?? 1) * size
  return new Date(first + Math.floor((date.getTime() - first) / length) * length)
}

/** Date expressions. */
export const DATES: Readonly<Record<string, OperatorCompiler>> = {
  ...Object.fromEntries(Object.entries(PARTS).map(([name, run]) => [name, partOperator(run)])),
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
      if (isNullish(zone) || text === null) return null
      const at = asDate(value)
      const offset = zone === 'UTC' ? 0 : offsetMinutes(zoneOf(zone), at)
      const shown = new Date(at.getTime() + offset * 60_000)
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
  },
  $dateFromParts: named(
    '$dateFromParts',
    [],
    ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'timezone', 'isoWeekYear'],
    (given) => {
      if (given['isoWeekYear'] !== undefined) throw unsupported('$dateFromParts with isoWeekYear')
      utcOnly('$dateFromParts', given['timezone'])
      if (Object.values(given).some((value) => value === null)) return null
      const part = (name: string, otherwise: number): number =>
        given[name] === undefined ? otherwise : toNumber(given[name])
      return new Date(
        Date.UTC(
          part('year', 1970),
          part('month', 1) - 1,
          part('day', 1),
          part('hour', 0),
          part('minute', 0),
          part('second', 0),
          part('millisecond', 0)
        )
      )
    }
  ),
  $dateToParts: named('$dateToParts', ['date'], ['timezone', 'iso8601'], ({ date, timezone, iso8601 }) => {
    if (isNullish(date)) return null
    const at = local(asDate(date), zoneOf(timezone))
    const clock = {
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
      millisecond: at.getUTCMilliseconds()
    }
    return iso8601 === true
      ? {
          isoWeekYear: isoThursday(at).getUTCFullYear(),
          isoWeek: isoWeek(at),
          isoDayOfWeek: at.getUTCDay() || 7,
          ...clock
        }
      : { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(), ...clock }
  }),
  $dateAdd: adding('$dateAdd', 1),
  $dateSubtract: adding('$dateSubtract', -1),
  $dateDiff: named(
    '$dateDiff',
    ['startDate', 'endDate', 'unit'],
    ['timezone', 'startOfWeek'],
    ({ startDate, endDate, unit, timezone, startOfWeek }) => {
      if (isNullish(startDate) || isNullish(endDate) || isNullish(unit)) return null
      utcOnly('$dateDiff', timezone)
      const by = unitOf(unit)
      const start = weekStart(startOfWeek)
      return Long.fromNumber(boundary(asDate(endDate), by, start) - boundary(asDate(startDate), by, start))
    }
  ),
  $dateTrunc: named(
    '$dateTrunc',
    ['date', 'unit'],
    ['binSize', 'timezone', 'startOfWeek'],
    ({ date, unit, binSize, timezone, startOfWeek }) => {
      if (isNullish(date) || isNullish(unit) || binSize === null) return null
      utcOnly('$dateTrunc', timezone)
      const size = binSize === undefined ? 1 : toNumber(binSize)
      if (!Number.isInteger(size) || size <= 0)
        throw new MongoError(5439017, `$dateTrunc requires 'binSize' to be greater than 0, but got value ${size}`)
      return truncate(asDate(date), unitOf(unit), size, weekStart(startOfWeek))
    }
  )
}
