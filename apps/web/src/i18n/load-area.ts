import type { Language } from '#web/lib/i18n/language.ts'
import type { Messages } from '#web/lib/i18n/language-store.ts'
import { messages as firstEnglish } from './en/first.ts'
import { messages as firstNepali } from './ne/first.ts'

/** Texts bundled with the entry. */
export const firstTexts: Readonly<Record<Language, Messages>> = { en: firstEnglish, ne: firstNepali }

// One chunk per language and area: a visitor loads only the texts of their screens and language.
const catalogues = import.meta.glob<{ messages: Messages }>(['./{en,ne}/*.ts', '!./{en,ne}/first.ts'])

export async function loadArea(language: Language, area: string): Promise<Messages> {
  const load = catalogues[`./${language}/${area}.ts`]
  if (load === undefined) throw new Error(`No texts for ${area} in ${language}`)
  return (await load()).messages
}
