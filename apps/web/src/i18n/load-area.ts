import type { Language } from '#web/lib/i18n/language.ts'
import type { Messages } from '#web/lib/i18n/language-store.ts'

// One chunk per language and area: a visitor loads the texts of the screens they open, in the language they read.
const catalogues = import.meta.glob<{ messages: Messages }>('./{en,ne}/*.ts')

export async function loadArea(language: Language, area: string): Promise<Messages> {
  const load = catalogues[`./${language}/${area}.ts`]
  if (load === undefined) throw new Error(`No texts for ${area} in ${language}`)
  return (await load()).messages
}
