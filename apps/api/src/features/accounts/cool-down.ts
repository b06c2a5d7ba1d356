import { codeCooldownMs } from '@batti/contracts'

/** When something was made that holds up the next one now. Made in what is still to come, by a clock that was ahead, is old. */
export const whileCoolingDown = (now: number): { $gt: Date; $lte: Date } => ({
  $gt: new Date(now - codeCooldownMs),
  $lte: new Date(now + codeCooldownMs)
})
