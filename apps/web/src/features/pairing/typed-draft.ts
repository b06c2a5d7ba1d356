import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import type { KeyValueStorage } from '#web/lib/storage.ts'

const typedDraft = z.object({ ssid: z.string(), password: z.string(), activeColor: z.string() })
/** Input from before the page was reloaded, or opened again with another board's address. */
export type TypedDraft = z.infer<typeof typedDraft>
/** Another person may log in before the tab is closed. */
const storedDraft = typedDraft.extend({ userId: z.string() })

const key = 'setup-draft'
const typedKey = 'setup-typed'
const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

const draftOf = (form: FormData, userId: string): z.infer<typeof storedDraft> => ({
  userId,
  ssid: textOf(form, 'ssid'),
  password: textOf(form, 'password'),
  activeColor: textOf(form, 'activeColor')
})

/** Stores the input for the next load. `storage` belongs to this tab: no other tab may read it. */
export function keepDraft(storage: KeyValueStorage, form: FormData, userId: string): void {
  storage.setItem(key, JSON.stringify(draftOf(form, userId)))
}

/** Stores the input without the password, for a reload of the page. */
export function keepTyped(storage: KeyValueStorage, form: FormData, userId: string): void {
  storage.setItem(typedKey, JSON.stringify({ ...draftOf(form, userId), password: '' }))
}

/** Call when the page is left for another one of the app. */
export const forgetTyped = (storage: KeyValueStorage): void => storage.removeItem(typedKey)

/** Returns the person's stored input or null. Input with a Wi-Fi password is removed at once. */
export function takeDraft(storage: KeyValueStorage, userId: string): TypedDraft | null {
  const draft = readDraft(storage, key, userId)
  storage.removeItem(key)
  return draft ?? readDraft(storage, typedKey, userId)
}

function readDraft(storage: KeyValueStorage, from: string, userId: string): TypedDraft | null {
  const stored = storedDraft.safeParse(parseJson(storage.getItem(from) ?? '')).data
  return stored?.userId === userId ? stored : null
}
