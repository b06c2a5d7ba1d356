import { levelPercent } from '@batti/contracts'

/** A level as the texts of its kind want it: as it is, or as a share of the whole. */
export const levelValues = (level = 0) => ({ level, percent: levelPercent(level) })
