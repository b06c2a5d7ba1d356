import type { KeyValueStorage } from '#web/lib/storage.ts'

/** An in-memory `localStorage`. */
export function memoryStorage(
  values: Record<string, string> = {}
): KeyValueStorage & { values: () => Record<string, string> } {
  const map = new Map(Object.entries(values))
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    values: () => Object.fromEntries(map)
  }
}
