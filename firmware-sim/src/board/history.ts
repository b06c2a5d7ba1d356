import type { DownTopic, UpTopic } from '@batti/contracts'

/** A message of a board, or an action of a person. `at` is the board's clock, milliseconds. */
export type HistoryEntry =
  | {
      readonly at: number
      readonly kind: 'received'
      readonly topic: DownTopic
      readonly payload: unknown
      readonly dropped?: string
    }
  | {
      readonly at: number
      readonly kind: 'sent'
      readonly topic: UpTopic
      readonly payload: object
      readonly dropped?: string
    }
  | { readonly at: number; readonly kind: 'event'; readonly what: string }

/** Keeps the newest entries of a board, for people and for checks of invariants. A limit of 0 keeps none. */
export interface History {
  add(entry: HistoryEntry): void
  list(): HistoryEntry[]
}

export function createHistory(limit: number): History {
  let entries: HistoryEntry[] = []
  return {
    add(entry) {
      if (limit === 0) return
      entries.push(entry)
      // Trim in bulk: a shift per message would move the whole array each time.
      if (entries.length > limit * 2) entries = entries.slice(-limit)
    },
    list: () => entries.slice(-limit)
  }
}
