/** The part of `localStorage` that the app uses. */
export interface KeyValueStorage {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

/** `localStorage`, or memory where the browser forbids it (a page must still work then, until it is closed). */
export function safeStorage(open: () => KeyValueStorage): KeyValueStorage {
  try {
    const storage = open()
    storage.getItem('theme')
    return storage
  } catch {
    const values = new Map<string, string>()
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key)
    }
  }
}
