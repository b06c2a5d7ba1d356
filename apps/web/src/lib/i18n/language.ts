import type { KeyValueStorage } from '#web/lib/storage.ts'

export const languages = ['en', 'ne'] as const
export type Language = (typeof languages)[number]

export const languageNames: Record<Language, string> = { en: 'English', ne: 'नेपाली' }

const isLanguage = (value: unknown): value is Language => value === 'en' || value === 'ne'

/** Returns the stored language, else the first supported one of the browser's, else English. */
export function preferredLanguage(storage: KeyValueStorage, browserLanguages: readonly string[]): Language {
  const stored = storage.getItem('language')
  if (isLanguage(stored)) return stored
  return browserLanguages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}
