import type { ReactNode } from 'react'
import { ringParts } from '#web/lib/charts/ring.ts'
import { cn } from '#web/lib/cn.ts'

export interface RingValue {
  value: number
  /** A `stroke-…` class. */
  stroke: string
  /** The `stroke-…` class of its edges, for a colour that is too light for the surface. */
  edge?: string
}

// For a circumference of 100, so that lengths are per cent.
const radius = 50 / Math.PI

/**
 * Shares of a whole as a ring, with text in its middle. It is hidden from screen readers: the caller shows the numbers
 * as text.
 */
export function RingChart({
  values,
  children,
  className
}: {
  values: readonly RingValue[]
  children: ReactNode
  className?: string
}) {
  const parts = ringParts(values.map(({ value }) => value))
  return (
    <div className={cn('relative grid place-items-center', className)}>
      <svg viewBox="0 0 40 40" aria-hidden="true" className="w-full">
        <circle cx="20" cy="20" r={radius} fill="none" strokeWidth="4.5" className="stroke-well" />
        {values.flatMap(({ stroke, edge }, index) => {
          const part = parts[index]
          if (part === null || part === undefined) return []
          const wide = { stroke: edge, width: 5 }
          return [...(edge === undefined ? [] : [wide]), { stroke, width: 4.5 }].map((drawn) => (
            <circle
              key={drawn.stroke}
              cx="20"
              cy="20"
              r={radius}
              fill="none"
              strokeWidth={drawn.width}
              pathLength="100"
              strokeDasharray={`${part.length} ${part.gap}`}
              strokeDashoffset={part.offset}
              className={cn('transition-[stroke-dasharray,stroke-dashoffset] duration-240', drawn.stroke)}
            />
          ))
        })}
      </svg>
      <div className="absolute inset-0 grid place-content-center justify-items-center text-center">{children}</div>
    </div>
  )
}
