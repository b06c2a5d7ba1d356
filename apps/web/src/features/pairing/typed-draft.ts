import type { KeyValueStorage } from '#web/lib/storage.ts'

/** What somebody had typed before the page was loaded again with another board's address. */
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

/** Keeps what was typed for the one load that follows. `storage` is the tab's own: another tab must not find it. */
export function keepDraft(storage: KeyValueStorage, form: FormData): void {
  const draft: TypedDraft = {
    ssid: textOf(form, 'ssid'),
    password: textOf(form, 'password'),
    activeColor: textOf(form, 'activeColor')
  }
  storage.setItem(key, JSON.stringify(draft))
}

/** What was typed before this load, or null; it is gone from the storage at once, since a Wi-Fi password is in it. */
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
