import type { IntlShape } from 'react-intl'

type Numbers = Pick<IntlShape, 'formatNumber'>

const unit = (intl: Numbers, value: number, name: 'hour' | 'minute' | 'second') =>
  intl.formatNumber(value, { style: 'unit', unit: name, unitDisplay: 'short' })

/** Formats a duration: hours from 3600 s on, with the remaining minutes ("4 hr 15 min"), minutes from 60 s on, else seconds. */
export function durationText(intl: Numbers, seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return unit(intl, whole, 'second')
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return unit(intl, minutes, 'minute')
  const hours = unit(intl, Math.floor(minutes / 60), 'hour')
  return minutes % 60 === 0 ? hours : `${hours} ${unit(intl, minutes % 60, 'minute')}`
}

/** Formats a duration for little room, as on a bar: "4.3 h", "15 m". */
export function shortDurationText(intl: Numbers, seconds: number): string {
  if (seconds <= 0) return intl.formatNumber(0)
  const narrow = (value: number, name: 'hour' | 'minute' | 'second') =>
    intl.formatNumber(value, { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits: 1 })
  if (seconds >= 3600) return narrow(seconds / 3600, 'hour')
  // Rounded down as in the long form: the bar and the total beside it must agree.
  return seconds >= 60 ? narrow(Math.floor(seconds / 60), 'minute') : narrow(Math.round(seconds), 'second')
}
