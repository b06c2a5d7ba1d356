export interface Rate {
  /** What may pass for long; 0 = no limit. */
  readonly perSecond: number
  /** What may pass at once. */
  readonly burst: number
}

/** A limit without timers. */
export interface TokenBucket {
  /** Takes one; false when none is left. */
  take(): boolean
  /** Whole tokens that are left now. */
  available(): number
  /** Takes so many, even more than are left: what comes next then waits the longer. */
  spend(tokens: number): void
  /** Milliseconds until one can be taken. */
  msUntilNext(): number
}

/** @param now milliseconds. A clock that was set back fills nothing and takes nothing away. */
export function createTokenBucket({ perSecond, burst }: Rate, now: () => number): TokenBucket {
  const isLimited = perSecond > 0
  const perMs = perSecond / 1000
  const most = Math.max(burst, 1)
  let tokens = isLimited ? most : Infinity
  let filledAt = now()

  function fill(): number {
    const at = now()
    if (isLimited) tokens = Math.min(most, tokens + Math.max(0, at - filledAt) * perMs)
    filledAt = at
    return tokens
  }

  return {
    take() {
      if (fill() < 1) return false
      tokens -= 1
      return true
    },
    available: () => Math.floor(fill()),
    spend(count) {
      tokens -= count
    },
    msUntilNext: () => (fill() >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs)))
  }
}
