import { hasLevel } from '@batti/contracts'
import { CalendarClock, CircleDot, CircleUserRound, ToggleLeft, type LucideIcon } from 'lucide-react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { levelValues } from '#web/features/switches/level-values.ts'

type CauseGroup = 'button' | 'user' | 'schedule' | 'other'
const icons: Record<CauseGroup, LucideIcon> = {
  button: ToggleLeft,
  user: CircleUserRound,
  schedule: CalendarClock,
  other: CircleDot
}

function groupOf(cause: NonNullable<DeviceLive['lastCause']>['cause']): CauseGroup {
  if (cause.by === 'button' || cause.by === 'schedule') return cause.by
  return cause.by === 'user' && cause.userName !== undefined ? 'user' : 'other'
}

/** Two lines on a phone, one elsewhere. */
const placeClass = 'min-h-15 sm:min-h-9'

/**
 * Shows who or what caused the newest single change: a person, the wall button, or a schedule. Its space is always
 * reserved, as a sheet is fixed at the bottom: a growing line would move the rows above it away from the finger.
 */
export function CauseLine({ live, nameOf }: { live: DeviceLive; nameOf: (index: number) => string }) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  const last = live.lastCause
  if (last === null || last.switchIndex === null) return <div className={placeClass} />
  const group = groupOf(last.cause)
  const Icon = icons[group]
  const outlet = live.outlets[last.switchIndex]
  const values = { name: nameOf(last.switchIndex), who: last.cause.userName ?? '', time: clockTime(intl, last.at, now) }
  return (
    <p className={cn(placeClass, 'flex items-center gap-2 border-t border-line pt-3 text-14 text-ink-2')}>
      <Icon aria-hidden="true" size={16} className="text-ink-3" />
      {outlet !== undefined && hasLevel(outlet.kind) && last.isLevel
        ? t(`cause.${group}.level`, {
            ...values,
            level: t(`switch.levelShort.${outlet.kind}`, levelValues(outlet.level))
          })
        : t(outlet?.on ? `cause.${group}.on` : `cause.${group}.off`, values)}
    </p>
  )
}
