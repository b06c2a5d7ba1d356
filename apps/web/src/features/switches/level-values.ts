import { levelPercent } from '@batti/contracts'

/** Returns the values for a level's text: the level itself and its percentage. */
export const levelValues = (level = 0) => ({ level, percent: levelPercent(level) })
