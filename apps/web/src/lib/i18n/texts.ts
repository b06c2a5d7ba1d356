import { createIntl, createIntlCache, type IntlShape } from 'react-intl'
import type { LanguageState } from './language-store.ts'

const browserHasNepali = () => Intl.DateTimeFormat.supportedLocalesOf('ne').length > 0

/** Creates the formatter of a language, also for Nepali in a browser without its data. */
export function createTexts(
  { language, messages, nepaliTexts }: LanguageState,
  hasNepali = browserHasNepali
): IntlShape {
  const create = (locale: string) =>
    createIntl({ locale, defaultLocale: 'en', messages: { ...messages } }, createIntlCache())
  if (language === 'en') return create('en-GB')
  return nepaliTexts === undefined ? create('ne-NP') : nepaliTexts(create, hasNepali())
}
