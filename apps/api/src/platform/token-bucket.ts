/** A limit of `perSecond` with bursts, without timers. `perSecond` 0 turns it off. */
export interface TokenBucket {
  /** Takes one; false when none is left at `now` (milliseconds). */
  take(now: number): boolean
}

export function createTokenBucket(perSecond: number, burst: number): TokenBucket {
  let tokens = burst
  let filledAt: number | undefined
  return {
    take(now) {
      if (perSecond <= 0) return true
      if (filledAt !== undefined) tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond)
      filledAt = now
      if (tokens < 1) return false
      tokens -= 1
      return true
    }
  }
}
