import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { wallDate, wallTime } from '#web/lib/i18n/wall-clock.ts'
import { useOnTimes } from '#web/features/on-times/api/list-on-times.ts'
import { dayWindow } from '#web/features/on-times/day-window.ts'
import { DayStrip } from './day-strip.tsx'

/**
 * One switch on one of the last seven days, today first. Renders nothing if it cannot load, as the week below shows the
 * error.
 */
export function OnTimeDay({ switchId }: { switchId: string }) {
  const t = useText()
  const intl = useIntl()
  const { data } = useOnTimes(switchId)
  const [back, setBack] = useState(0)
  if (data === undefined) return <Skeleton className="h-24" />
  const [record] = data.switches
  const date = record?.days.at(-1 - back)?.date
  if (record === undefined || date === undefined) return null
  const window = dayWindow(date, data.timezone)
  const title = back === 0 ? t('onTime.today') : back === 1 ? t('onTime.yesterday') : wallDate(intl, date)
  return (
    <div>
      <div className="mb-1 flex items-center justify-between gap-2">
        <IconButton
          label={t('onTime.dayBefore')}
          isLocked={back >= record.days.length - 1}
          icon={<ChevronLeft size={20} />}
          onClick={() => setBack(back + 1)}
        />
        <output className="font-medium">{title}</output>
        <IconButton
          label={t('onTime.dayAfter')}
          isLocked={back === 0}
          icon={<ChevronRight size={20} />}
          onClick={() => setBack(back - 1)}
        />
      </div>
      <DayStrip
        label={t('onTime.on')}
        spans={record.spans}
        window={window}
        zone={data.timezone}
        marks={window.marks.map(({ at, time }) => ({
          at,
          text: time === '24:00' ? wallEnd(intl) : wallTime(intl, time)
        }))}
      />
    </div>
  )
}

/** Formats "24:00", which no clock shows, as two numbers. */
function wallEnd(intl: ReturnType<typeof useIntl>): string {
  const two = (value: number) => intl.formatNumber(value, { minimumIntegerDigits: 2 })
  return `${two(24)}:${two(0)}`
}
