import { useMemo, type ReactNode } from 'react'
import { RawIntlProvider } from 'react-intl'
import { useLanguageState } from '#web/lib/services.ts'
import { createTexts } from './texts.ts'

/** Provides the texts of the chosen language; screens add the texts of their areas. */
export function TextsProvider({ children }: { children: ReactNode }) {
  const state = useLanguageState()
  const intl = useMemo(() => createTexts(state), [state])
  return <RawIntlProvider value={intl}>{children}</RawIntlProvider>
}
