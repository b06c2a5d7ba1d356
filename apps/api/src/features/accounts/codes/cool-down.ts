import { codeCooldownMs } from '@batti/contracts'

/** Matches creation times that still block the next one. Times in the future, from a clock that was ahead, count as old. */
export const whileCoolingDown = (now: number): { $gt: Date; $lte: Date } => ({
  $gt: new Date(now - codeCooldownMs),
  $lte: new Date(now + codeCooldownMs)
})
