import { useText } from '#web/lib/i18n/use-text.ts'
import { placeOf } from './session-name.ts'

/** "Firefox on Android": the place that a `User-Agent` tells of. */
export function useSessionName(): (userAgent: string) => string {
  const t = useText()
  return (userAgent) => {
    const { browser, system } = placeOf(userAgent)
    return browser !== null && system !== null
      ? t('sessions.name', { browser, system })
      : (browser ?? system ?? t('sessions.unknown'))
  }
}
