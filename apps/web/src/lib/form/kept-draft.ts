import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import { safeStorage, type KeyValueStorage } from '#web/lib/storage.ts'

/** Storage of this tab, removed when it is closed. */
export const tabStorage = safeStorage(() => window.sessionStorage)

const keys = ['setup-draft', 'setup-typed', 'setup-sent', 'rollout-draft'] as const

/** Call when the session has ended on this page: nothing that was typed is left in its tab. */
export const forgetDrafts = (storage: KeyValueStorage): void => keys.forEach((key) => storage.removeItem(key))

/** Keeps input for the next load of its page. Another person may log in before the tab is closed, and gets none of it. */
export function keptDraft<Draft>(key: (typeof keys)[number], schema: z.ZodType<Draft>) {
  const stored = z.object({ userId: z.string(), draft: schema })
  return {
    keep: (storage: KeyValueStorage, draft: Draft, userId: string): void =>
      storage.setItem(key, JSON.stringify({ userId, draft })),
    /** Returns the person's input or null. */
    read(storage: KeyValueStorage, userId: string): Draft | null {
      const found = stored.safeParse(parseJson(storage.getItem(key) ?? '')).data
      return found?.userId === userId ? found.draft : null
    },
    forget: (storage: KeyValueStorage): void => storage.removeItem(key)
  }
}
