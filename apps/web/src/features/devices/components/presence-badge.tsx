import { useIntl } from 'react-intl'
import { Badge } from '#web/ui/badge.tsx'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import type { DeviceUpdate } from '#web/lib/live/device-update.ts'
import { isRestarting } from '#web/lib/live/is-restarting.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'

export interface PresenceBadgeProps {
  live: DeviceLive
  /** The board's update, if any: a restart for it is named as such. */
  update: DeviceUpdate | null
  /** Without the time, if it is shown elsewhere. */
  isShort?: boolean
}

/** Online, restarting for an update, or offline with the time; unknown while the page itself has no connection. */
export function PresenceBadge({ live, update, isShort = false }: PresenceBadgeProps) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  if (!live.isFresh) {
    return (
      <Badge tone="muted" frame="none" hasDot>
        {t('devices.stale')}
      </Badge>
    )
  }
  if (live.isOnline) {
    return (
      <Badge tone="ok" frame="none" hasDot>
        {t('devices.online')}
      </Badge>
    )
  }
  if (isRestarting(update, live, now)) {
    return (
      <Badge tone="muted" frame="none" hasDot>
        {t('phase.reboot')}
      </Badge>
    )
  }
  const since = live.onlineChangedAt
  return (
    <Badge tone="muted" frame="none" hasDot>
      {since === null || isShort
        ? t('devices.offline')
        : t('devices.offlineSince', { time: clockTime(intl, since, now) })}
    </Badge>
  )
}
