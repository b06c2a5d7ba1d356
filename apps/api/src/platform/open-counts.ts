/** How many of something are open at this moment, by key; a key of which none is open takes no room. */
export function createOpenCounts() {
  const counts = new Map<string, number>()
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    /** Counts one more. Answers what to call when it is over; safe to call twice. */
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
