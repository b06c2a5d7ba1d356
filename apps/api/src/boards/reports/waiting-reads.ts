/** Reads that have not begun, by key: whoever asks meanwhile shares them. */
export function createWaitingReads<Read extends object>() {
  const waiting = new Map<string, Read>()
  return {
    get: (key: string): Read | undefined => waiting.get(key),
    /** Keeps a read until it begins. One that fails before, as it was refused its turn, must not answer later callers. */
    keep(key: string, read: Read, end: Promise<unknown>): void {
      waiting.set(key, read)
      end.catch(() => waiting.get(key) === read && waiting.delete(key))
    },
    begin: (key: string): void => void waiting.delete(key)
  }
}
