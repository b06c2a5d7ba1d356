import { latinDigits, minuteOf } from '@batti/contracts'

const dayMinutes = 24 * 60
const noonHour = 12

/** "6:30 pm" and its beginnings: "6p", "11:30 a". */
const halfDayTime = /^(\d{1,2})(?:[:.]?(\d{2}))?[:.\s]*([ap])(\.?m\.?)?$/i
/** A whole time with more text after it: a space, seconds. */
const wholeTime = /^(\d{1,2}:\d{2}):.*$/

/**
 * Returns the text of a time field after a key or a paste. The colon is added once the hour is whole, since a phone's
 * number pad has none, but not while somebody deletes.
 */
export function typedTime(typed: string, before: string): string {
  const text = latinDigits(typed).trimStart()
  const onTwelveHours = typedHalfDay(text.trimEnd())
  if (onTwelveHours !== null) return onTwelveHours
  const plain = text
    .replaceAll(/[.,\-\sh]+/g, ':')
    .replaceAll(/[^\d:]/g, '')
    .replaceAll(/:+/g, ':')
    .replace(wholeTime, '$1')
    .slice(0, 5)
  if (plain.length <= before.length || !/^\d+$/.test(plain)) return plain
  const hourDigits = Number(plain.slice(0, 2)) < 24 ? 2 : 1
  const isHourWhole = plain.length >= 2 || Number(plain) > 2
  return isHourWhole ? `${plain.slice(0, hourDigits)}:${plain.slice(hourDigits, hourDigits + 2)}` : plain
}

/** Converts "6:30 pm" to "18:30" once it is whole. An impossible time stays as it is, and the field shows the error. */
function typedHalfDay(text: string): string | null {
  const [, hour, minute, half, isWhole] = halfDayTime.exec(text) ?? []
  if (hour === undefined || half === undefined) return null
  const isMorning = half.toLowerCase() === 'a'
  const minutes = Number(minute ?? 0)
  const isOnClock = minutes < 60 && (isMorning ? Number(hour) <= noonHour : Number(hour) >= 1 && Number(hour) < 24)
  if (isWhole === undefined || !isOnClock) return text.replaceAll(/\s/g, '').toLowerCase()
  const isLate = !isMorning && Number(hour) < noonHour
  const isMidnight = isMorning && Number(hour) === noonHour
  const hour24 = isMidnight ? 0 : Number(hour) + (isLate ? noonHour : 0)
  return `${String(hour24).padStart(2, '0')}:${minute ?? '00'}`
}

/** Parses "18:30" or "7:05", with `isDone` also the hour alone; null when it is no time. */
export function timeOf(typed: string, isDone: boolean): string | null {
  const [, hour, minute] = /^(\d{1,2})(?::(\d{2})?)?$/.exec(typed) ?? []
  if (hour === undefined || (minute === undefined && !isDone)) return null
  if (Number(hour) > 23 || Number(minute ?? 0) > 59) return null
  return `${hour.padStart(2, '0')}:${minute ?? '00'}`
}

/** Adds minutes to a time of day, wrapping at midnight. */
export function steppedTime(time: string, minutes: number): string {
  const minute = (minuteOf(time) + minutes + dayMinutes) % dayMinutes
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
