import { dayMs, hourMs, minuteMs } from '@batti/kit/durations'
import { Long } from 'bson'
import { typeName } from '../../bson/document.ts'
import { toNumber } from '../../bson/numbers.ts'
import { MongoError } from '../../errors.ts'
import { dateAt } from './date-calendar.ts'
import { asDate, utcOnly } from './date-zone.ts'
import { givenNothing, named, requireWhole } from './operator-kit.ts'
import type { OperatorCompiler } from './scope.ts'

const units: Readonly<Record<string, number>> = {
  week: 7 * dayMs,
  day: dayMs,
  hour: hourMs,
  minute: minuteMs,
  second: 1000,
  millisecond: 1
}
const monthsOf: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 }

function unitOf(value: unknown): string {
  if (typeof value !== 'string' || !(value in units || value in monthsOf))
    throw new MongoError(9, `unknown time unit value: ${String(value)}`)
  return value
}

function addUnits(date: Date, unit: string, amount: number): Date {
  const months = monthsOf[unit]
  if (months === undefined) return new Date(date.getTime() + amount * (units[unit] ?? 0))
  const target = new Date(date)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + amount * months)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  return target
}

const adding = (name: string, sign: 1 | -1): OperatorCompiler =>
  named(name, ['startDate', 'unit', 'amount'], ['timezone'], (given) => {
    const { startDate, unit, amount, timezone } = given
    if (givenNothing(given, 'startDate', 'unit', 'amount', 'timezone')) return null
    utcOnly(name, timezone)
    const by = sign * requireWhole(`${name}'s amount`, amount, 5166405)
    return dateAt(addUnits(asDate(startDate), unitOf(unit), by).getTime(), name)
  })

/** Only the unit `week` has a first day. */
const ofWeek = (unit: unknown): readonly string[] => (unit === 'week' ? ['startOfWeek'] : [])
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

function weekStart(value: unknown = 'sunday'): number {
  const wanted = typeof value === 'string' ? value.toLowerCase() : ''
  const index = weekdays.findIndex((day) => day === wanted || day.slice(0, 3) === wanted)
  if (index === -1)
    throw new MongoError(9, `unknown day of week value: ${typeof value === 'string' ? value : typeName(value)}`)
  return index
}

/** Returns the number of unit boundaries before a date. */
function boundary(date: Date, unit: string, startOfWeek: number): number {
  const months = monthsOf[unit]
  if (months !== undefined) return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months)
  // 1 January 1970 was a Thursday.
  if (unit === 'week') return Math.floor((Math.floor(date.getTime() / dayMs) + 4 - startOfWeek) / 7)
  return Math.floor(date.getTime() / (units[unit] ?? 1))
}

/** Like MongoDB, counts bins of `$dateTrunc` from 2000-01-01, and weeks from the first start of a week after that. */
function truncate(date: Date, unit: string, size: number, startOfWeek: number): Date {
  const reference = Date.UTC(2000, 0, 1)
  const months = monthsOf[unit]
  if (months !== undefined) {
    const since = (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth()
    const bin = Math.floor(since / (months * size)) * months * size
    return new Date(Date.UTC(2000, bin, 1))
  }
  // 1 January 2000 was a Saturday.
  const first = unit === 'week' ? reference + ((startOfWeek - 6 + 7) % 7) * dayMs : reference
  const length = (units[unit] ?? 1) * size
  return new Date(first + Math.floor((date.getTime() - first) / length) * length)
}

/** Operators that add, compare and truncate dates by units of time. */
export const dateArithmetic: Readonly<Record<string, OperatorCompiler>> = {
  $dateAdd: adding('$dateAdd', 1),
  $dateSubtract: adding('$dateSubtract', -1),
  $dateDiff: named('$dateDiff', ['startDate', 'endDate', 'unit'], ['timezone', 'startOfWeek'], (given) => {
    const { startDate, endDate, unit, timezone, startOfWeek } = given
    if (givenNothing(given, 'startDate', 'endDate', 'unit', 'timezone', ...ofWeek(unit))) return null
    utcOnly('$dateDiff', timezone)
    const by = unitOf(unit)
    const start = weekStart(startOfWeek)
    return Long.fromNumber(boundary(asDate(endDate), by, start) - boundary(asDate(startDate), by, start))
  }),
  $dateTrunc: named('$dateTrunc', ['date', 'unit'], ['binSize', 'timezone', 'startOfWeek'], (given) => {
    const { date, unit, binSize, timezone, startOfWeek } = given
    if (givenNothing(given, 'date', 'unit', 'binSize', 'timezone', ...ofWeek(unit))) return null
    utcOnly('$dateTrunc', timezone)
    const size = binSize === undefined ? 1 : toNumber(binSize)
    if (!Number.isInteger(size) || size <= 0)
      throw new MongoError(5439017, `$dateTrunc requires 'binSize' to be greater than 0, but got value ${size}`)
    return dateAt(truncate(asDate(date), unitOf(unit), size, weekStart(startOfWeek)).getTime(), '$dateTrunc')
  })
}
