import type { OutletKind } from '@batti/contracts'
import { useId, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface BoardOutlet {
  kind: OutletKind
  isLit: boolean
}

const keyWidth = 26
const gap = 8

const filled = (isLit: boolean) => (isLit ? 'fill-on-ink' : 'fill-ink-3')
const lined = (isLit: boolean) => (isLit ? 'stroke-on-ink' : 'stroke-ink-3')

/** Draws the mark of each kind of outlet, around the middle `x` of its key. */
const marks: Record<OutletKind, (x: number, isLit: boolean) => ReactNode> = {
  switch: (x, isLit) => <rect x={x - 4} y="34" width="8" height="2.5" rx="1.25" className={filled(isLit)} />,
  fan: (x, isLit) => <circle cx={x} cy="56" r="8" fill="none" strokeWidth="2" className={lined(isLit)} />,
  socket: (x, isLit) => (
    <>
      <circle cx={x - 5} cy="56" r="2" className={filled(isLit)} />
      <circle cx={x + 5} cy="56" r="2" className={filled(isLit)} />
    </>
  ),
  dimmer: (x, isLit) => (
    <path
      d={`M${x - 5.5} 61.5a8 8 0 1 1 11 0M${x} 56l3.5-4.5`}
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      className={lined(isLit)}
    />
  )
}

/** Returns an example board with three switches: the middle one is lit, or all are. */
export const exampleOutlets = (isAllLit = false): BoardOutlet[] =>
  [0, 1, 2].map((index) => ({ kind: 'switch', isLit: isAllLit || index === 1 }))

/** Draws a board with lit keys for the outlets that are on. It stands in for a missing picture. */
export function BoardDrawing({ outlets, className }: { outlets: readonly BoardOutlet[]; className?: string }) {
  const glow = useId()
  const shown = outlets.slice(0, 6)
  const inner = shown.length * keyWidth + Math.max(0, shown.length - 1) * gap
  const width = Math.max(96, inner + 36)
  const left = (200 - inner) / 2
  return (
    <svg viewBox="0 0 200 112" aria-hidden="true" className={cn('w-full', className)}>
      <radialGradient id={glow}>
        <stop offset="0.3" stopColor="var(--on-soft)" />
        <stop offset="1" stopColor="var(--on-soft)" stopOpacity="0" />
      </radialGradient>
      <rect
        x={(200 - width) / 2}
        y="10"
        width={width}
        height="92"
        rx="14"
        className="fill-raised stroke-edge/60"
        strokeWidth="1.5"
      />
      {shown.map(({ kind, isLit }, index) => {
        const x = left + index * (keyWidth + gap)
        const fill = cn('stroke-line transition-[fill] duration-160', isLit ? 'fill-on' : 'fill-well')
        // Outlets have no identity but their place on the board.
        return (
          <g key={`${kind}-${x}`}>
            {isLit && <ellipse cx={x + keyWidth / 2} cy="56" rx="34" ry="52" fill={`url(#${glow})`} />}
            <rect x={x} y="28" width={keyWidth} height="56" rx="7" className={fill} />
            {marks[kind](x + keyWidth / 2, isLit)}
          </g>
        )
      })}
    </svg>
  )
}
