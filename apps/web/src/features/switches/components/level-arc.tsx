import { levelMax } from '@batti/contracts'
import { useRef, type PointerEvent, type ReactNode } from 'react'
import { arcFraction, arcPath, arcPoint } from '#web/lib/charts/arc.ts'
import { cn } from '#web/lib/cn.ts'

const radius = 31
/** Below this distance a movement is a press, not a drag. */
const dragAfterPx = 5
/** The step of an arrow key. */
const keyStep = 5

export interface LevelArcProps {
  level: number
  label: string
  valueText: string
  isPending: boolean
  onChange: (level: number) => void
  /** Called when the outlet's icon was pressed without dragging. */
  onPress: () => void
  /** The outlet's icon in the middle. */
  children: ReactNode
}

/** A level as an arc around its outlet's icon: dragged by hand; a normal slider for keys and screen readers. */
export function LevelArc({ level, label, valueText, isPending, onChange, onPress, children }: LevelArcProps) {
  const grip = useRef<{ x: number; y: number; isDrag: boolean } | null>(null)
  const fraction = level / levelMax
  const thumb = arcPoint(fraction, radius)

  const onPointerDown = (event: PointerEvent) => {
    // Prevents the native slider from setting a value by the horizontal position.
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, y: event.clientY, isDrag: false }
  }
  const onPointerMove = (event: PointerEvent) => {
    const held = grip.current
    if (held === null) return
    if (!held.isDrag && Math.hypot(event.clientX - held.x, event.clientY - held.y) < dragAfterPx) return
    held.isDrag = true
    const box = event.currentTarget.getBoundingClientRect()
    const wanted = arcFraction(event.clientX - (box.left + box.width / 2), event.clientY - (box.top + box.height / 2))
    onChange(Math.round(wanted * levelMax))
  }
  const onPointerUp = () => {
    if (grip.current !== null && !grip.current.isDrag) onPress()
    grip.current = null
  }

  return (
    <div className="relative z-10 -m-2.5 grid size-17 place-items-center rounded-full has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <svg viewBox="-36 -36 72 72" aria-hidden="true" className={cn('absolute inset-0', isPending && 'opacity-70')}>
        <path d={arcPath(1, radius)} fill="none" strokeWidth="4" strokeLinecap="round" className="stroke-well" />
        {fraction > 0 && (
          <path
            d={arcPath(fraction, radius)}
            fill="none"
            strokeWidth="4"
            strokeLinecap="round"
            className="stroke-on-edge"
          />
        )}
        <circle cx={thumb.x} cy={thumb.y} r="4.5" strokeWidth="2" className="fill-card stroke-on-edge" />
      </svg>
      {children}
      <input
        type="range"
        min={0}
        max={levelMax}
        step={keyStep}
        value={level}
        aria-label={label}
        aria-valuetext={valueText}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => (grip.current = null)}
        onChange={(event) => grip.current === null && onChange(event.target.valueAsNumber)}
        className="absolute inset-0 cursor-grab touch-none opacity-0 active:cursor-grabbing"
      />
    </div>
  )
}
