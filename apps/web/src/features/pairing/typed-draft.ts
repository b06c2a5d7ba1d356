import type { KeyValueStorage } from '#web/lib/storage.ts'

/** Input from before the page was reloaded with another board's address. */
export interface TypedDraft {
  ssid: string
  password: string
  activeColor: string
}

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
  if (text === null) return null
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody but `keepDraft` writes this key
    return JSON.parse(text) as TypedDraft
  } catch {
    return null
  }
}
