/** Keeps what is typed while the field for it is on its way. */
export interface EarlyLetters {
  start(): void
  /** What was typed since `start`; no more is kept. */
  take(): string
  /** Whether the key is kept here: it then writes nowhere else. */
  keep(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): boolean
}

export function createEarlyLetters(): EarlyLetters {
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
