import type { ErrorCode } from '@batti/contracts'
import type { LanguageStore } from './language-store.ts'

/** How a sentence of the server's is shown; a refusal has a code. */
export type ServerWords = (message: string, code?: ErrorCode) => string

/** The server speaks English. In Nepali its sentences are loaded with the language, so that no error waits for them. */
export function createServerWords(language: Pick<LanguageStore, 'getState' | 'subscribe'>): ServerWords {
  let nepali: ServerWords | null = null
  const load = () => {
    if (language.getState().language !== 'ne' || nepali !== null) return
    void import('./server-sentences.ts').then(
      ({ inNepali }) => {
        nepali = inNepali
      },
      () => {
        // Without a network: they stay English until the language is chosen anew.
      }
    )
  }
  load()
  language.subscribe(load)
  return (message, code) => (nepali !== null && language.getState().language === 'ne' ? nepali(message, code) : message)
}
