import { minuteMs } from '@batti/kit/durations'
import { zoneOffsetMs } from '@batti/kit/zone-offset'
import { ObjectId, Timestamp } from 'bson'
import { typeName } from '../../bson/document.ts'
import { MongoError, unsupported } from '../../errors.ts'
import { isNullish } from './operator-kit.ts'

/** Converts what MongoDB accepts as a date: a date, an ObjectId, a Timestamp. */
export function asDate(value: unknown): Date {
  if (value instanceof Date) return value
  if (value instanceof ObjectId) return value.getTimestamp()
  if (value instanceof Timestamp) return new Date(value.t * 1000)
  throw new MongoError(16006, `can't convert from BSON type ${typeName(value)} to Date`)
}

/** Returns the minutes east of UTC at an instant, for an Olson name, `UTC` or an offset. */
export function offsetMinutes(zone: string, at: Date): number {
  const fixed = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone)
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3] ?? 0))
  try {
    return Math.round(zoneOffsetMs(at.getTime(), zone) / minuteMs)
  } catch {
    throw new MongoError(40485, `unrecognized time zone identifier: "${zone}"`)
  }
}

export function zoneOf(value: unknown): string {
  if (isNullish(value)) return 'UTC'
  if (typeof value !== 'string')
    throw new MongoError(40517, `timezone must evaluate to a string, found ${typeName(value)}`)
  return value
}

/** Returns a date whose UTC fields are the local fields of `at` in the zone. */
export const local = (at: Date, zone: string): Date =>
  zone === 'UTC' ? at : new Date(at.getTime() + offsetMinutes(zone, at) * minuteMs)

/** Refuses any zone but UTC. Date arithmetic in other zones is done by the api, with Temporal. */
export function utcOnly(name: string, zone: unknown): void {
  if (!isNullish(zone) && !['UTC', 'Z', 'GMT', '+00', '+00:00', '+0000'].includes(zoneOf(zone)))
    throw unsupported(`${name} with a time zone`)
}
