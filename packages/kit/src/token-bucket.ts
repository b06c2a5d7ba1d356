export interface Rate {
  /** The sustained rate; 0 = no limit. */
  readonly perSecond: number
  /** How many may pass at once. */
  readonly burst: number
}

/** A rate limit without timers. */
export interface TokenBucket {
  /** Takes one token; false when none is left. */
  take(): boolean
  /** Returns the number of whole tokens left. */
  available(): number
  /** Takes tokens, even more than are left: the next one then takes longer. */
  spend(tokens: number): void
  /** Returns the milliseconds until a token is available. */
  msUntilNext(): number
}

/** @param now milliseconds. A clock that is set back neither adds nor removes tokens. */
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
    msUntilNext: () => (fill() >= 1 ? 0 : Math.ceil((1 - tokens) / perMs))
  }
}
