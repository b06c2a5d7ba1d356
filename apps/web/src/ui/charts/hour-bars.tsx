import { hourMs } from '@batti/kit/durations'
import { useIntl } from 'react-intl'
import { barsIn } from '#web/lib/charts/bars.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

import { ChartTable } from './chart-table.tsx'
import { HourAxis, useHourName } from './hour-axis.tsx'

export interface HourBarsProps {
  label: string
  /** `at` is the start of the hour. */
  hours: readonly { at: string; count: number }[]
  /** Returns the text for the highest bar. */
  peak: (hour: { count: number; from: string; to: string }) => string
}

/** A bar per hour: all are grey except the highest, which shows its number. */
export function HourBars({ label, hours, peak }: HourBarsProps) {
  const t = useText()
  const intl = useIntl()
  const clock = useHourName()
  const highest = hours.reduce<{ at: string; count: number } | null>(
    (most, hour) => (hour.count > (most?.count ?? 0) ? hour : most),
    null
  )
  const bars = barsIn(
    hours.map(({ count }) => count),
    { width: hours.length * 10, height: 39, max: highest?.count ?? 0, gap: 2 }
  )
  const peakMs = highest === null ? 0 : Date.parse(highest.at)
  return (
    <figure className="px-4 pb-4 sm:px-6">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 pb-2 text-14">
        <span className="font-semibold">{label}</span>
        <span className={highest === null ? 'text-ink-3' : 'font-medium text-danger'}>
          {highest === null
            ? t('chart.nothing')
            : peak({ count: highest.count, from: clock(peakMs), to: clock(peakMs + hourMs) })}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${hours.length * 10} 40`}
        preserveAspectRatio="none"
        className="block h-12 w-full max-w-3xl"
      >
        {bars.map((bar, index) => (
          <rect
            key={hours[index]?.at}
            x={bar.x}
            y={bar.y}
            width={bar.width}
            height={bar.height + 1}
            className={hours[index]?.at === highest?.at ? 'fill-danger' : 'fill-edge/50'}
          />
        ))}
      </svg>
      <div className="max-w-3xl">
        <HourAxis hours={hours} />
      </div>
      <ChartTable
        heads={[label]}
        rows={hours.map(({ at, count }) => ({ name: clock(at), values: [intl.formatNumber(count)] }))}
      />
    </figure>
  )
}
