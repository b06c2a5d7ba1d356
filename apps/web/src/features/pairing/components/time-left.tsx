import { useIntl } from 'react-intl'
import { useServerNow } from '#web/lib/time/use-now.ts'

/** The remaining time in minutes and seconds: "9:41". */
export function TimeLeft({ until }: { until: string }) {
  const intl = useIntl()
  const now = useServerNow(1000)
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1000))
  const two = { minimumIntegerDigits: 2 }
  return (
    <span role="timer" aria-live="off">
      {intl.formatNumber(Math.floor(seconds / 60))}:{intl.formatNumber(seconds % 60, two)}
    </span>
  )
}
