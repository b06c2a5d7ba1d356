/** Buffers keys typed before the search field is loaded. */
export interface KeyBuffer {
  start(): void
  /** Returns what was typed since `start`, and stops buffering. */
  take(): string
  /** Returns whether the key was buffered; it must then have no other effect. */
  keep(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): boolean
}

export function createKeyBuffer(): KeyBuffer {
  let typed: string | null = null
  return {
    start() {
      typed = ''
    },
    take() {
      const taken = typed ?? ''
      typed = null
      return taken
    },
    keep({ key, ctrlKey, metaKey, altKey }) {
      const isText = (key.length === 1 || key === 'Backspace') && !ctrlKey && !metaKey && !altKey
      if (typed === null || !isText) return false
      typed = key === 'Backspace' ? typed.slice(0, -1) : typed + key
      return true
    }
  }
}
