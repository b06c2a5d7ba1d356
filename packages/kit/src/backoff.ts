export interface BackoffRange {
  readonly firstMs: number
  readonly longestMs: number
  /** The random share of the delay, 0 to 1, so that clients which lost the same server do not reconnect together. */
  readonly jitter: number
}

/** Returns the delay after consecutive failures: doubled from `firstMs` up to `longestMs`, less a random part up to `jitter`. */
export function backoffMs(failures: number, range: BackoffRange, random = () => 0): number {
  const doublings = Math.min(Math.max(failures - 1, 0), 30)
  const ceiling = Math.min(range.longestMs, range.firstMs * 2 ** doublings)
  return Math.round(ceiling * (1 - random() * range.jitter))
}
