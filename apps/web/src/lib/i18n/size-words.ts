import type { IntlShape } from 'react-intl'

/** The size from which each unit is used, and its bytes. A size that would be rounded to 1000 kB is shown as 1 MB. */
const units = [
  { from: 999_500, unit: 'megabyte', bytes: 1_000_000, digits: 2, unitDisplay: 'short' },
  { from: 1000, unit: 'kilobyte', bytes: 1000, digits: 0, unitDisplay: 'short' },
  { from: 0, unit: 'byte', bytes: 1, digits: 0, unitDisplay: 'long' }
] as const

/** Formats a size in decimal units, as file managers do: "1.31 MB", "98 kB", "3 bytes". */
export function sizeText(intl: Pick<IntlShape, 'formatNumber'>, size: number): string {
  const { unit, bytes, digits, unitDisplay } = units.find(({ from }) => size >= from) ?? units[2]
  return intl.formatNumber(size / bytes, { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits })
}
