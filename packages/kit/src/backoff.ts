export interface BackoffRange {
  readonly firstMs: number
  readonly longestMs: number
  /** How much of the wait is left to chance, 0 to 1, so that many who lost the same server do not return together. */
  readonly jitter: number
}

/** The wait after so many failures in a row: doubled each time, from `firstMs` to `longestMs`, less up to `jitter` of it. */
export function backoffMs(failures: number, range: BackoffRange, random = () => 0): number {
  const doublings = Math.min(Math.max(failures - 1, 0), 30)
  const ceiling = Math.min(range.longestMs, range.firstMs * 2 ** doublings)
  return Math.round(ceiling * (1 - random() * range.jitter))
}
