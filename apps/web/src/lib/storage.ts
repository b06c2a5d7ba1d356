/** The part of `localStorage` that the app uses. */
export interface KeyValueStorage {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

/**
 * `localStorage`, and memory for what the browser does not keep, because it forbids storage or because that is full: a page
 * must still work then, until it is closed.
 */
export function safeStorage(open: () => KeyValueStorage): KeyValueStorage {
  const values = new Map<string, string>()
  const kept = usable(open)
  function isKept(key: string, value: string): boolean {
    try {
      kept?.setItem(key, value)
      return kept !== null
    } catch {
      // What the next page finds must be nothing that has been replaced.
      kept?.removeItem(key)
      return false
    }
  }
  return {
    // What is kept comes first: beside a value that found no room it is another page's, and newer.
    getItem: (key) => kept?.getItem(key) ?? values.get(key) ?? null,
    setItem: (key, value) => {
      values.delete(key)
      if (!isKept(key, value)) values.set(key, value)
    },
    removeItem: (key) => {
      values.delete(key)
      kept?.removeItem(key)
    }
  }
}

function usable(open: () => KeyValueStorage): KeyValueStorage | null {
  try {
    const storage = open()
    storage.getItem('theme')
    return storage
  } catch {
    return null
  }
}
