import { createIntl, createIntlCache, type IntlShape } from 'react-intl'
import type { LanguageState } from './language-store.ts'

/** Formats texts, numbers and dates in a language. Nepali digits and dates as Nepal writes them. */
export function createTexts({ language, messages }: LanguageState): IntlShape {
  const locale = language === 'ne' ? 'ne-NP' : 'en-GB'
  return createIntl({ locale, defaultLocale: 'en', messages: { ...messages } }, createIntlCache())
}
