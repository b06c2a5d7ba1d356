import { useIntl } from 'react-intl'
import { secondsIn, spansIn, type Span } from '#web/lib/charts/spans.ts'
import { durationText } from '#web/lib/i18n/duration-words.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'
import { zonedTime } from '#web/lib/time/zoned-time.ts'
import type { ReactNode } from 'react'
import type { HourMark } from '#web/features/on-times/hour-marks.ts'

export interface DayStripProps {
  label: ReactNode
  spans: readonly Span[]
  window: Span
  /** The zone of the times that are read aloud; the browser's by default. Their day is that of the window. */
  zone?: string
  /** Marks at times of the day. */
  marks?: readonly HourMark[]
  /** Shows the marks' texts below. Of several strips only the last shows them. */
  hasMarkWords?: boolean
}

/** A timeline of when one switch was on, with the total beside it; screen readers get the spans as text. */
export function DayStrip({ label, spans, window, zone, marks = [], hasMarkWords = true }: DayStripProps) {
  const intl = useIntl()
  const shown = spansIn(spans, window)
  const time = (atMs: number) =>
    zone === undefined ? clockTime(intl, atMs, window.to) : wallTime(intl, zonedTime(atMs, zone))
  const within = spans.filter(({ from, to }) => to > window.from && from < window.to)
  return (
    <div>
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-14">
        <span className="min-w-[min(100%,6rem)] flex-1 truncate font-medium">{label}</span>
        <span className="shrink-0 text-ink-2">{durationText(intl, secondsIn(spans, window))}</span>
      </div>
      <div className="relative h-5 overflow-hidden rounded-md bg-well" aria-hidden="true">
        {marks.map(({ at, text }) => (
          <span key={text} className="absolute inset-y-0 w-px bg-edge/35" style={{ left: `${at * 100}%` }} />
        ))}
        {shown.map(({ start, width }) => (
          <span
            key={start}
            className="absolute inset-y-0 rounded-[5px] border border-on-edge bg-on"
            style={{ left: `${start * 100}%`, width: `${width * 100}%` }}
          />
        ))}
      </div>
      {within.length > 0 && (
        <ul className="sr-only">
          {within.map(({ from, to }) => (
            <li key={from}>
              {time(Math.max(from, window.from))}–{time(Math.min(to, window.to))}
            </li>
          ))}
        </ul>
      )}
      {hasMarkWords && marks.length > 0 && (
        <div aria-hidden="true" className="relative mt-1 h-4 text-12 text-ink-3">
          {marks.map(({ at, text }) => (
            <span key={text} className="absolute" style={{ left: `${at * 100}%`, translate: `-${shiftOf(at)}%` }}>
              {text}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

/** Centres a text on its mark, but keeps it inside the strip at both ends. */
const shiftOf = (at: number) => (at < 0.06 ? 0 : at > 0.94 ? 100 : 50)
