import type { ErrorCode } from '@batti/contracts'
import type { LanguageStore } from './language-store.ts'

/** Translates a message of the server; a refusal has a code. */
export type ServerWords = (message: string, code?: ErrorCode) => string

/** The server's messages are English. The Nepali ones are loaded with the language, so that no error waits for them. */
export function createServerWords(language: Pick<LanguageStore, 'getState' | 'subscribe'>): ServerWords {
  let nepali: ServerWords | null = null
  const load = () => {
    if (language.getState().language !== 'ne' || nepali !== null) return
    void import('./server-sentences.ts').then(
      ({ inNepali }) => {
        nepali = inNepali
      },
      () => {
        // Without a network messages stay English until the language is chosen again.
      }
    )
  }
  load()
  language.subscribe(load)
  return (message, code) => (nepali !== null && language.getState().language === 'ne' ? nepali(message, code) : message)
}
