import type { IntlShape } from 'react-intl'

/** From where a size is written so, and what one of it holds. Before a thousand of them are rounded to, the next is. */
const units = [
  { from: 999_500, unit: 'megabyte', bytes: 1_000_000, digits: 2, unitDisplay: 'short' },
  { from: 1000, unit: 'kilobyte', bytes: 1000, digits: 0, unitDisplay: 'short' },
  { from: 0, unit: 'byte', bytes: 1, digits: 0, unitDisplay: 'long' }
] as const

/** "1.31 MB", "98 kB", "3 bytes": of a thousand each, as file managers count. */
export function sizeText(intl: Pick<IntlShape, 'formatNumber'>, size: number): string {
  const { unit, bytes, digits, unitDisplay } = units.find(({ from }) => size >= from) ?? units[2]
  return intl.formatNumber(size / bytes, { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits })
}
