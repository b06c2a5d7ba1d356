import { spansIn, type Span } from '#web/lib/charts/spans.ts'

/** When a board was online: a filled band, hatched where it was not, so that it is told without colour. */
export function PresenceBand({ label, spans, window }: { label: string; spans: readonly Span[]; window: Span }) {
  return (
    <span
      role="img"
      aria-label={label}
      className="relative block h-4 overflow-hidden rounded-md border border-line"
      style={{
        backgroundImage:
          'repeating-linear-gradient(135deg, transparent 0 4px, color-mix(in oklab, var(--edge) 55%, transparent) 4px 5px)'
      }}
    >
      {spansIn(spans, window).map(({ start, width }, index) => (
        <span
          // Two short ones may begin at the same pixel.
          key={index}
          className="absolute inset-y-0 bg-ok"
          style={{ left: `${start * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </span>
  )
}
