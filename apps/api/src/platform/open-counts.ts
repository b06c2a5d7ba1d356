/** Counts open items by key; keys without any take no memory. */
export function createOpenCounts() {
  const counts = new Map<string, number>()
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    /** Counts one more. Call the returned function when it has ended; it is idempotent. */
    open(key: string): () => void {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (counts.get(key) ?? 1) - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    }
  }
}
