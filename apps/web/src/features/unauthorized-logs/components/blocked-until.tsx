import { useIntl } from 'react-intl'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'

/** "blocked", "blocked until 24 Nov, 18:00". */
export function BlockedUntil({ until }: { until: string | null }) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  if (until === null) return t('refusals.blocked')
  return t('refusals.blockedUntil', { time: clockTime(intl, Date.parse(until), now) })
}
