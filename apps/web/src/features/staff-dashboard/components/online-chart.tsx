import type { FleetRecord } from '@batti/contracts'
import { HourLine } from '#web/ui/charts/hour-line.tsx'
import { useHourName } from '#web/ui/charts/hour-axis.tsx'
import { steepestFall } from '#web/lib/charts/line.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** A loss of this share of the boards from one hour to the next suggests a power cut. */
const cutShare = 0.05
const cutAtLeast = 3

/** Returns the hour at which many boards went offline, or null. */
export function cutOf(hours: FleetRecord['onlineByHour']): { at: number; by: number } | null {
  const fall = steepestFall(hours.map(({ online }) => online))
  if (fall === null) return null
  const before = hours[fall.at - 1]?.online ?? 0
  return fall.by >= cutAtLeast && fall.by > before * cutShare ? fall : null
}

/** The number of online boards over 24 hours. */
export function OnlineChart({ fleet }: { fleet: FleetRecord }) {
  const t = useText()
  const nameOf = useHourName()
  const cut = cutOf(fleet.onlineByHour)
  const hour = cut === null ? undefined : fleet.onlineByHour[cut.at]
  return (
    <HourLine
      label={t('staff.online24')}
      aside={<span className="text-ink-2 tabular-nums">{t('staff.onlineNow', { count: fleet.online })}</span>}
      hours={fleet.onlineByHour.map(({ at, online }) => ({ at, value: online }))}
      mark={
        cut === null || hour === undefined
          ? null
          : { at: cut.at, text: t('staff.cut', { count: cut.by, time: nameOf(hour.at) }) }
      }
    />
  )
}
