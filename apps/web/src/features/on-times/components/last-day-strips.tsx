import { dayMs } from '@batti/kit/durations'
import { useIntl } from 'react-intl'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { hourMarks } from '#web/features/on-times/hour-marks.ts'
import { secondsIn } from '#web/lib/charts/spans.ts'
import { timeOfDay } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { useOnTimes } from '#web/features/on-times/api/list-on-times.ts'
import { DayStrip } from './day-strip.tsx'
import { SwitchName } from './switch-name.tsx'

const shownAtMost = 8

/** What was on in the last 24 hours, longest first. Renders nothing if it cannot load, as the page has other content. */
export function LastDayStrips({ linkTo }: { linkTo?: (switchId: string) => string }) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  const { data, isPending } = useOnTimes()
  if (isPending) return <Skeleton className="h-48" />
  if (data === undefined) return null
  const window = { from: now - dayMs, to: now }
  const used = data.switches
    .map((each) => ({ each, seconds: secondsIn(each.spans, window) }))
    .filter(({ seconds }) => seconds > 0)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, shownAtMost)
  if (used.length === 0) return <p className="text-14 text-ink-2">{t('onTime.noneToday')}</p>
  const marks = hourMarks(window, (atMs) => timeOfDay(intl, atMs))
  return (
    <ul className="grid grid-cols-1 gap-3.5">
      {used.map(({ each }, index) => (
        <li key={each.switchId}>
          <DayStrip
            label={<SwitchName onTime={each} linkTo={linkTo} />}
            spans={each.spans}
            window={window}
            marks={marks}
            hasMarkWords={index === used.length - 1}
          />
        </li>
      ))}
    </ul>
  )
}
