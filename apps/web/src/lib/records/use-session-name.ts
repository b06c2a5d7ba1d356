import { useCallback } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { placeOf } from './session-name.ts'

/** Formats a `User-Agent` as browser and system: "Firefox on Android". */
export function useSessionName(): (userAgent: string) => string {
  const t = useText()
  return useCallback(
    (userAgent) => {
      const { browser, system } = placeOf(userAgent)
      return browser !== null && system !== null
        ? t('sessions.name', { browser, system })
        : (browser ?? system ?? t('sessions.unknown'))
    },
    [t]
  )
}
