import { useIntl } from 'react-intl'
import { barsIn } from '#web/lib/charts/bars.ts'
import { cn } from '#web/lib/cn.ts'
import { shortDurationText } from '#web/lib/i18n/duration-words.ts'
import { wallWeekday } from '#web/lib/i18n/wall-clock.ts'
import type { OnTime } from '#web/features/on-times/api/list-on-times.ts'

const box = { width: 280, height: 56, gap: 6 }

/**
 * The bars of one switch, each with its value above and its weekday below, so that no axis is needed. `maxSeconds` is
 * shared by the charts shown together. Screen readers get the table instead.
 */
export function WeekBars({ days, maxSeconds }: { days: OnTime['days']; maxSeconds: number }) {
  const intl = useIntl()
  const bars = barsIn(
    days.map(({ seconds }) => seconds),
    { ...box, max: maxSeconds }
  )
  return (
    <svg viewBox={`0 0 ${box.width} ${box.height + 34}`} aria-hidden="true" className="w-full overflow-visible">
      {days.map(({ date, seconds }, index) => {
        const bar = bars[index]
        if (bar === undefined) return null
        const middle = bar.x + bar.width / 2
        const isToday = index === days.length - 1
        return (
          <g key={date}>
            <text
              x={middle}
              y={bar.y + 11}
              textAnchor="middle"
              className={cn('text-[11px]', seconds > 0 ? 'fill-ink font-medium' : 'fill-ink-3')}
            >
              {shortDurationText(intl, seconds)}
            </text>
            <rect x={bar.x} y={box.height + 16} width={bar.width} height="2" rx="1" className="fill-well" />
            <rect
              x={bar.x}
              y={bar.y + 16}
              width={bar.width}
              height={bar.height}
              rx={Math.min(5, bar.height / 2)}
              className="fill-on stroke-on-edge"
              strokeWidth={seconds > 0 ? 1 : 0}
            />
            <text
              x={middle}
              y={box.height + 32}
              textAnchor="middle"
              className={cn('text-[11px]', isToday ? 'fill-ink font-semibold' : 'fill-ink-3')}
            >
              {wallWeekday(intl, date)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
