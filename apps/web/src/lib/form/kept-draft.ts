import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import type { KeyValueStorage } from '#web/lib/storage.ts'
import type { DraftKey } from './tab-storage.ts'

/** Keeps input for the next load of its page. Another person may log in before the tab is closed, and gets none of it. */
export function keptDraft<Draft>(key: DraftKey, schema: z.ZodType<Draft>) {
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
