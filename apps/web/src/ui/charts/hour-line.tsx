import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { lineIn, linePath } from '#web/lib/charts/line.ts'
import { ChartTable } from './chart-table.tsx'
import { HourAxis, useHourName } from './hour-axis.tsx'

export interface HourLineProps {
  label: string
  /** The current state, beside the label. */
  aside?: ReactNode
  /** `at` is the start of the hour. */
  hours: readonly { at: string; value: number }[]
  /** A notable hour and its text. */
  mark?: { at: number; text: string } | null
}

const box = { width: 240, height: 56 }

/** A line chart of 24 hours without a fill; only the marked hour has a text. */
export function HourLine({ label, aside, hours, mark = null }: HourLineProps) {
  const intl = useIntl()
  const nameOf = useHourName()
  const points = lineIn(
    hours.map(({ value }) => value),
    box
  )
  const marked = mark === null ? undefined : points[mark.at]
  const values = hours.map(({ value }) => value)
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 pb-2 text-14">
        <span className="text-16 font-semibold">{label}</span>
        {aside}
      </figcaption>
      <div className="relative">
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 -4 ${box.width} ${box.height + 8}`}
          preserveAspectRatio="none"
          className="block h-20 w-full overflow-visible"
        >
          <path
            d={linePath(points)}
            fill="none"
            vectorEffect="non-scaling-stroke"
            strokeWidth="1.5"
            strokeLinejoin="round"
            className="stroke-ink"
          />
        </svg>
        {marked !== undefined && (
          <span
            aria-hidden="true"
            className="absolute size-2 -translate-1/2 rounded-full bg-danger"
            style={{
              left: `${(marked.x / box.width) * 100}%`,
              top: `${((marked.y + 4) / (box.height + 8)) * 100}%`
            }}
          />
        )}
      </div>
      <HourAxis hours={hours} />
      {mark !== null && <p className="pt-1 text-12 font-medium text-danger">{mark.text}</p>}
      <ChartTable
        heads={[label]}
        rows={hours.map(({ at }, index) => ({ name: nameOf(at), values: [intl.formatNumber(values[index] ?? 0)] }))}
      />
    </figure>
  )
}
