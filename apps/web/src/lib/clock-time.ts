import { minuteOf } from '@batti/contracts'

const dayMinutes = 24 * 60
const devanagariZero = 0x966

/** Devanagari digits as the ones that times are kept in. */
const latinDigits = (text: string): string =>
  text.replaceAll(/[०-९]/g, (digit) => String((digit.codePointAt(0) ?? devanagariZero) - devanagariZero))

/**
 * What stands in a time field after a key or a paste. The colon comes by itself once the hour is whole, since a phone's
 * number pad has none; it stays away while somebody deletes.
 */
export function typedTime(text: string, before: string): string {
  const plain = latinDigits(text)
    .replaceAll(/[.,\-\sh]+/g, ':')
    .replaceAll(/[^\d:]/g, '')
    .replaceAll(/:+/g, ':')
    .slice(0, 5)
  if (plain.length <= before.length || !/^\d+$/.test(plain)) return plain
  const hourDigits = Number(plain.slice(0, 2)) < 24 ? 2 : 1
  const isHourWhole = plain.length >= 2 || Number(plain) > 2
  return isHourWhole ? `${plain.slice(0, hourDigits)}:${plain.slice(hourDigits, hourDigits + 2)}` : plain
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
