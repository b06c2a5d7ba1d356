import { spansIn, type Span } from '#web/lib/charts/spans.ts'

export interface PresenceBandProps {
  label: string
  spans: readonly Span[]
  window: Span
  /** The band is empty before this time, as nothing is known. */
  knownFrom?: number
}

/** A timeline of a board's presence: filled while online, hatched while offline, so that colour is not the only sign. */
export function PresenceBand({ label, spans, window, knownFrom = window.from }: PresenceBandProps) {
  return (
    <span role="img" aria-label={label} className="relative block h-4 overflow-hidden rounded-md border border-line">
      {spansIn([{ from: knownFrom, to: window.to }], window).map(({ start }) => (
        <span
          key={start}
          className="absolute inset-y-0 right-0"
          style={{
            left: `${start * 100}%`,
            backgroundImage:
              'repeating-linear-gradient(135deg, transparent 0 4px, color-mix(in oklab, var(--edge) 55%, transparent) 4px 5px)'
          }}
        />
      ))}
      {spansIn(spans, window).map(({ start, width }, index) => (
        <span
          // Two short spans may start at the same pixel.
          key={index}
          className="absolute inset-y-0 bg-ok"
          style={{ left: `${start * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </span>
  )
}
