import { createRecent } from '@batti/kit/recent'
import { createTokenBucket, type Rate, type TokenBucket } from '@batti/kit/token-bucket'

/** Far more than the keys active within the time that any of these counts. */
const keptMost = 10_000

/** Creates a token bucket per key, on first use. */
export function createBucketByKey(rate: Rate, now: () => number, most = keptMost): (key: string) => TokenBucket {
  const buckets = createRecent<TokenBucket>(most)
  return (key) => {
    const own = buckets.get(key) ?? createTokenBucket(rate, now)
    buckets.keep(key, own)
    return own
  }
}

/** Creates a rate limit per key. The returned function takes one token, and returns false if none is left. */
export function createLimitByKey(rate: Rate, now: () => number, most = keptMost): (key: string) => boolean {
  const bucketOf = createBucketByKey(rate, now, most)
  return (key) => bucketOf(key).take()
}

/** Remembers when something was last done, by key. */
export function createLastTimes(now: () => number, most = keptMost) {
  const doneAt = createRecent<number>(most)
  return {
    /** Returns whether it was not done within `everyMs`, and then counts it as done. */
    isTimeFor(key: string, everyMs: number): boolean {
      const at = now()
      if (at - (doneAt.get(key) ?? -Infinity) < everyMs) return false
      doneAt.keep(key, at)
      return true
    },
    forget: doneAt.forget
  }
}
