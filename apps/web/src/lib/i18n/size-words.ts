import type { IntlShape } from 'react-intl'

/** "1.31 MB", "98 kB": of a thousand each, as file managers count. */
export function sizeText(intl: Pick<IntlShape, 'formatNumber'>, bytes: number): string {
  const isSmall = bytes < 1_000_000
  return intl.formatNumber(bytes / (isSmall ? 1000 : 1_000_000), {
    style: 'unit',
    unit: isSmall ? 'kilobyte' : 'megabyte',
    maximumFractionDigits: isSmall ? 0 : 2
  })
}
