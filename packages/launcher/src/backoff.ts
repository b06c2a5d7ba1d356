const firstMs = 500
const maxMs = 30_000
/** A part that ran this long has recovered: its next death is a first one again. */
const steadyAfterMs = 60_000

/** The next wait before a part is started again: doubled each time, up to 30 s, with up to a fifth of jitter. */
export function restartDelayMs(failuresInARow: number, random: () => number): number {
  const base = Math.min(maxMs, firstMs * 2 ** Math.max(0, failuresInARow - 1))
  return Math.round(base * (1 + random() * 0.2))
}

/** How often in a row a part has failed now, if it ran for `ranMs` before this death. */
export const failuresAfter = (failuresBefore: number, ranMs: number): number =>
  ranMs >= steadyAfterMs ? 1 : failuresBefore + 1
