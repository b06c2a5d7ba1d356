import { createTokenBucket, type Rate, type TokenBucket } from '@batti/kit/token-bucket'

/** Far more than act within the time that any of these counts. */
const keptMost = 10_000

/** Values by key; of more than `most` the one that was kept longest ago is forgotten, so that nobody fills the memory. */
function createRecent<Value>(most: number) {
  const kept = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => kept.get(key),
    keep(key: string, value: Value): void {
      kept.delete(key)
      kept.set(key, value)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
    forget: (key: string): void => void kept.delete(key)
  }
}

/** The same limit for each key by itself. Takes one; false when none is left. */
export function createLimitByKey(rate: Rate, now: () => number, most = keptMost): (key: string) => boolean {
  const buckets = createRecent<TokenBucket>(most)
  return (key) => {
    const own = buckets.get(key) ?? createTokenBucket(rate, now)
    buckets.keep(key, own)
    return own.take()
  }
}

/** When something was last done, by key. */
export function createLastTimes(now: () => number, most = keptMost) {
  const doneAt = createRecent<number>(most)
  return {
    /** Whether it was not done within `everyMs`; then it counts as done. */
    isTimeFor(key: string, everyMs: number): boolean {
      const at = now()
      if (at - (doneAt.get(key) ?? -Infinity) < everyMs) return false
      doneAt.keep(key, at)
      return true
    },
    forget: doneAt.forget
  }
}
