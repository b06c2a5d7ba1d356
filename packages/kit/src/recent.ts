/** Keeps values by key. Beyond `most`, the least recently kept is evicted, so that nobody can fill the memory. */
export function createRecent<Value>(most: number) {
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
