import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import type { KeyValueStorage } from '#web/lib/storage.ts'

const typedDraft = z.object({ ssid: z.string(), password: z.string(), activeColor: z.string() })
/** Input from before the page was reloaded with another board's address. */
export type TypedDraft = z.infer<typeof typedDraft>

const key = 'setup-draft'
const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Stores the input for the next load. `storage` belongs to this tab: no other tab may read it. */
export function keepDraft(storage: KeyValueStorage, form: FormData): void {
  const draft: TypedDraft = {
    ssid: textOf(form, 'ssid'),
    password: textOf(form, 'password'),
    activeColor: textOf(form, 'activeColor')
  }
  storage.setItem(key, JSON.stringify(draft))
}

/** Returns the stored input or null, and removes it at once, since it contains a Wi-Fi password. */
export function takeDraft(storage: KeyValueStorage): TypedDraft | null {
  const text = storage.getItem(key)
  storage.removeItem(key)
  return typedDraft.safeParse(parseJson(text ?? '')).data ?? null
}
