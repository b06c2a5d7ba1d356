import type { IntlShape } from 'react-intl'

/**
 * Chromium browsers have no Nepali data for numbers, dates and relative times (only plural rules), and silently fall
 * back to English. Numbers then use Hindi formats, which have the same digits and grouping. The names and relative
 * times below are those of the Unicode locale data for Nepali.
 */
const nepaliDigits = 'hi-IN-u-nu-deva'

/** Formats a whole number in Nepali digits. */
export const nepaliNumber = (value: number): string => new Intl.NumberFormat(nepaliDigits).format(value)

const months = ['जनवरी', 'फेब्रुअरी', 'मार्च', 'अप्रिल', 'मे', 'जुन', 'जुलाई', 'अगस्ट', 'सेप्टेम्बर', 'अक्टोबर', 'नोभेम्बर', 'डिसेम्बर']
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const longWeekdays = ['आइतबार', 'सोमबार', 'मङ्गलबार', 'बुधबार', 'बिहिबार', 'शुक्रबार', 'शनिबार']
const shortWeekdays = ['आइत', 'सोम', 'मङ्गल', 'बुध', 'बिही', 'शुक्र', 'शनि']

type DateOptions = Intl.DateTimeFormatOptions
type DateInput = Parameters<IntlShape['formatDate']>[0]

/** Formats a date in Nepali, in the time zone of `options`. */
export function nepaliDate(value: Date | number | string, options: DateOptions): string {
  const at = new Date(value)
  const zone = options.timeZone === undefined ? {} : { timeZone: options.timeZone }
  const month = Number(new Intl.DateTimeFormat('en-US', { ...zone, month: 'numeric' }).format(at)) - 1
  const weekday = weekdays.indexOf(new Intl.DateTimeFormat('en-US', { ...zone, weekday: 'short' }).format(at))
  const weekdayNames = options.weekday === 'short' || options.weekday === 'narrow' ? shortWeekdays : longWeekdays
  const words: Partial<Record<Intl.DateTimeFormatPartTypes, string | undefined>> = {
    month: months[month],
    weekday: weekdayNames[weekday]
  }
  return new Intl.DateTimeFormat(nepaliDigits, options)
    .formatToParts(at)
    .map((part) => (isNumber(part.value) ? part.value : (words[part.type] ?? part.value)))
    .join('')
}
const isNumber = (text: string) => /^\p{Nd}+$/u.test(text)

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'
const units: Record<Unit, string> = {
  second: 'सेकेन्ड',
  minute: 'मिनेट',
  hour: 'घण्टा',
  day: 'दिन',
  week: 'हप्ता',
  month: 'महिना',
  quarter: 'त्रैमास',
  year: 'वर्ष'
}
/** Words for the last, this and the next unit. */
const near: Partial<Record<Unit, readonly [string, string, string]>> = {
  day: ['हिजो', 'आज', 'भोलि'],
  week: ['गत हप्ता', 'यो हप्ता', 'आउने हप्ता'],
  month: ['गत महिना', 'यो महिना', 'आउने महिना'],
  year: ['गत वर्ष', 'यो वर्ष', 'आगामी वर्ष']
}
const now: Partial<Record<Unit, string>> = { second: 'अहिले', minute: 'यही मिनेटमा', hour: 'यही घण्टामा' }

export function nepaliRelativeTime(value: number, unit: Intl.RelativeTimeFormatUnit, isAuto: boolean): string {
  const singular = unit.replace(/s$/, '')
  const known = isUnit(singular) ? singular : 'second'
  const word = value === 0 ? (now[known] ?? near[known]?.[1]) : near[known]?.[value + 1]
  if (isAuto && word !== undefined) return word
  const amount = nepaliNumber(Math.abs(value))
  return value < 0 || Object.is(value, -0) ? `${amount} ${units[known]} पहिले` : `${amount} ${units[known]}मा`
}
const isUnit = (text: string): text is Unit => Object.hasOwn(units, text)
const narrowUnits: Partial<Record<Unit, string>> = { second: 'से.', minute: 'मि.', hour: 'घ.' }

type NumberOptions = Parameters<IntlShape['formatNumber']>[1]

/**
 * Formats a number. A duration has Nepali words, as the Hindi ones are "घंटे" and "मिनट", and short ones on a bar, where
 * those of a browser with Nepali data have no room.
 */
function nepaliAmount(
  numbers: IntlShape,
  value: Parameters<IntlShape['formatNumber']>[0],
  options: NumberOptions = {}
): string {
  const { style, unit = '', unitDisplay, ...plain } = options
  if (style !== 'unit' || !isUnit(unit)) return numbers.formatNumber(value, options)
  const word = unitDisplay === 'narrow' ? narrowUnits[unit] : undefined
  return `${numbers.formatNumber(value, plain)} ${word ?? units[unit]}`
}

/** Returns the formatters of Nepali, with the missing parts replaced in a browser without its data. */
export function nepaliTexts(create: (locale: string) => IntlShape, hasNepali: boolean): IntlShape {
  const date = (value: DateInput, options: DateOptions = {}) => (value === undefined ? '' : nepaliDate(value, options))
  const own = create(hasNepali ? 'ne-NP' : nepaliDigits)
  const texts: IntlShape = { ...own, formatNumber: (value, options) => nepaliAmount(own, value, options) }
  if (hasNepali) return texts
  return {
    ...texts,
    formatDate: date,
    formatTime: (value, options) => date(value, { hour: 'numeric', minute: 'numeric', ...options }),
    formatRelativeTime: (value, unit = 'second', options = {}) =>
      nepaliRelativeTime(value, unit, options.numeric === 'auto'),
    formatList: ((values: Iterable<string>) => {
      const all = [...values]
      return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} र ${all.at(-1)}`
    }) as IntlShape['formatList']
  }
}
