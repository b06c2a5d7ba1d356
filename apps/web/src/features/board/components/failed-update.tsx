import type { DeviceEventRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { useEventDetail } from '#web/features/board/use-event-detail.ts'

/** That the latest update failed, by the board's stored events: for a page that was opened after its end. */
export function FailedUpdate({ events }: { events: readonly DeviceEventRecord[] }) {
  const t = useText()
  const intl = useIntl()
  const detailOf = useEventDetail()
  const { serverTime } = useServices()
  const who = useUser()?.role ?? 'user'
  const latest = events.find(({ kind }) => kind === 'firmware')
  const outcome = latest !== undefined && /^(failed|rolled-back)\b/.test(latest.detail ?? '') && detailOf(latest)
  if (!outcome) return null
  const time = clockTime(intl, Date.parse(latest.at), serverTime.now())
  return (
    <p role="status" className="max-w-xl px-4 pb-5 text-14 sm:px-6">
      {t('board.updateFailed', { time, outcome, who })}
    </p>
  )
}
