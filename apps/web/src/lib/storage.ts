/** The part of `localStorage` that the app uses. */
export interface KeyValueStorage {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

/**
 * Wraps `localStorage`, with memory for values that the browser does not store because it forbids that or is full: the
 * page must still work then, until it is closed.
 */
export function safeStorage(open: () => KeyValueStorage): KeyValueStorage {
  const values = new Map<string, string>()
  const kept = usable(open)
  function isKept(key: string, value: string): boolean {
    try {
      kept?.setItem(key, value)
      return kept !== null
    } catch {
      // The next page must not find the replaced value.
      kept?.removeItem(key)
      return false
    }
  }
  return {
    // A stored value comes first: if this page could only keep its own in memory, the stored one is from another page,
    // and newer.
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
