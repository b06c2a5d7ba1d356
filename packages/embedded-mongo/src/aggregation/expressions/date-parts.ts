import { isDocument } from '../../bson/document.ts'
import { unsupported } from '../../errors.ts'
import { dateAt, dayOfYear, isoThursday, isoWeek, utcMs, week } from './date-calendar.ts'
import { asDate, local, utcOnly, zoneOf } from './date-zone.ts'
import { givenNothing, isNullish, named, requireWhole } from './operator-kit.ts'
import type { Evaluate, OperatorCompiler } from './scope.ts'

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

/** `$year` and similar operators, which split a date into parts and combine parts to a date. */
export const dateParts: Readonly<Record<string, OperatorCompiler>> = {
  ...Object.fromEntries(Object.entries(PARTS).map(([name, run]) => [name, partOperator(run)])),
  $dateFromParts: named(
    '$dateFromParts',
    [],
    ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'timezone', 'isoWeekYear'],
    (given) => {
      if (given['isoWeekYear'] !== undefined) throw unsupported('$dateFromParts with isoWeekYear')
      utcOnly('$dateFromParts', given['timezone'])
      if (Object.values(given).some(isNullish)) return null
      const part = (name: string, otherwise: number): number =>
        given[name] === undefined ? otherwise : requireWhole(`'${name}' of $dateFromParts`, given[name], 40515)
      return dateAt(
        utcMs(
          part('year', 1970),
          part('month', 1) - 1,
          part('day', 1),
          part('hour', 0),
          part('minute', 0),
          part('second', 0),
          part('millisecond', 0)
        ),
        '$dateFromParts'
      )
    }
  ),
  $dateToParts: named('$dateToParts', ['date'], ['timezone', 'iso8601'], (given) => {
    const { date, timezone, iso8601 } = given
    if (givenNothing(given, 'date', 'timezone', 'iso8601')) return null
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
  })
}
