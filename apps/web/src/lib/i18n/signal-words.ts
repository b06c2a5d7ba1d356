import type { IntlShape } from 'react-intl'

/** "−61 dBm", with a minus sign, not a hyphen. */
export const signalStrength = (intl: Pick<IntlShape, 'formatNumber'>, dbm: number): string =>
  `−${intl.formatNumber(Math.abs(dbm))} dBm`
