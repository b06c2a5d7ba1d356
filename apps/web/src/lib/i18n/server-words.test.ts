import { expect, test } from 'vitest'
import { createStore } from '#web/lib/store.ts'
import type { LanguageState } from './language-store.ts'
import { createServerWords } from './server-words.ts'

const languageOf = (language: 'en' | 'ne') => {
  const store = createStore<LanguageState>({ language, messages: {} })
  return {
    getState: store.get,
    subscribe: store.subscribe,
    choose: (next: 'en' | 'ne') => store.set({ language: next, messages: {} })
  }
}
const wrongPassword = 'Your password is not correct.'

test('the server’s sentences are translated to Nepali: by the sentence, with its number, else by their kind', async () => {
  const words = createServerWords(languageOf('ne'))
  await expect.poll(() => words(wrongPassword, 'VALIDATION')).toBe('तपाईंको पासवर्ड मिलेन।')
  expect(words('Please try again after 42 seconds.', 'TOO_MANY_REQUESTS')).toContain('४२')
  expect(words('Phone number must be exactly 10 digits.', 'VALIDATION')).toContain('१०')
  expect(words('Room not found.', 'NOT_FOUND')).toMatch(/भेटिएन/)
  expect(words('Something that nobody has translated.', 'CONFLICT')).toBe('Something that nobody has translated.')
})

test('in English they are unchanged, also after the language was changed', async () => {
  const language = languageOf('en')
  const words = createServerWords(language)
  expect(words(wrongPassword, 'VALIDATION')).toBe(wrongPassword)
  language.choose('ne')
  await expect.poll(() => words(wrongPassword, 'VALIDATION')).not.toBe(wrongPassword)
  language.choose('en')
  expect(words(wrongPassword, 'VALIDATION')).toBe(wrongPassword)
})
