import { z } from 'zod'
import { keptDraft } from '#web/lib/form/kept-draft.ts'
import type { KeyValueStorage } from '#web/lib/storage.ts'

const typedDraft = z.object({ ssid: z.string(), password: z.string(), activeColor: z.string() })
/** Input from before the page was reloaded, or opened again with another board's address. */
export type TypedDraft = z.infer<typeof typedDraft>

const whole = keptDraft('setup-draft', typedDraft)
const withoutPassword = keptDraft('setup-typed', typedDraft)
const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

const draftOf = (form: FormData): TypedDraft => ({
  ssid: textOf(form, 'ssid'),
  password: textOf(form, 'password'),
  activeColor: textOf(form, 'activeColor')
})

/** Stores the input for the next load. `storage` belongs to this tab: no other tab may read it. */
export const keepDraft = (storage: KeyValueStorage, form: FormData, userId: string): void =>
  whole.keep(storage, draftOf(form), userId)

/** Stores the input without the password, for a reload of the page. */
export const keepTyped = (storage: KeyValueStorage, form: FormData, userId: string): void =>
  withoutPassword.keep(storage, { ...draftOf(form), password: '' }, userId)

/** Call when the page is left for another one of the app. */
export const forgetTyped = withoutPassword.forget

/** Returns the person's stored input or null. Input with a Wi-Fi password is removed at once. */
export function takeDraft(storage: KeyValueStorage, userId: string): TypedDraft | null {
  const draft = whole.read(storage, userId)
  whole.forget(storage)
  return draft ?? withoutPassword.read(storage, userId)
}
