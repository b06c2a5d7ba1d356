import { latinDigits, minuteOf } from '@batti/contracts'

const dayMinutes = 24 * 60
const noonHour = 12

/** "6:30 pm" and what leads to it: "6p", "11:30 a". */
const halfDayTime = /^(\d{1,2})(?:[:.]?(\d{2}))?[:.\s]*([ap])(\.?m\.?)?$/i
/** A whole time with more after it: a space, seconds. */
const wholeTime = /^(\d{1,2}:\d{2}):.*$/

/**
 * What stands in a time field after a key or a paste. The colon comes by itself once the hour is whole, since a phone's
 * number pad has none; it stays away while somebody deletes.
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

/** What "6:30 pm" leaves in the field: "18:30" once it is whole. What no clock shows stays as it is, for the field's fault. */
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

/** "18:30" of what was typed: "18:30", "7:05", and with `isDone` the hour alone too; null for what is no time. */
export function timeOf(typed: string, isDone: boolean): string | null {
  const [, hour, minute] = /^(\d{1,2})(?::(\d{2})?)?$/.exec(typed) ?? []
  if (hour === undefined || (minute === undefined && !isDone)) return null
  if (Number(hour) > 23 || Number(minute ?? 0) > 59) return null
  return `${hour.padStart(2, '0')}:${minute ?? '00'}`
}

/** So many minutes later or earlier, round the clock. */
export function steppedTime(time: string, minutes: number): string {
  const minute = (minuteOf(time) + minutes + dayMinutes) % dayMinutes
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
