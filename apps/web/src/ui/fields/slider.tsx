import { Slider as Base } from '@base-ui/react/slider'
import { cn } from '#web/lib/cn.ts'

export interface SliderProps {
  value: number
  onChange: (value: number) => void
  label: string
  max: number
  /** Returns the value as text for screen readers. */
  valueText?: (value: number) => string
  isPending?: boolean
}

/** A wide amber slider for touch; its value is inside, at the right. Keys: arrows, Page Up and Down, Home, End. */
export function Slider({ value, onChange, label, max, valueText, isPending = false }: SliderProps) {
  return (
    <Base.Root
      value={value}
      max={max}
      largeStep={Math.max(1, Math.round(max / 10))}
      thumbAlignment="edge"
      onValueChange={(next) => onChange(typeof next === 'number' ? next : (next[0] ?? 0))}
      className="w-full"
    >
      <Base.Control className="flex min-h-11 w-full cursor-pointer touch-none items-center select-none">
        <Base.Track className="h-10 w-full rounded-control border border-edge bg-well">
          <Base.Indicator
            className={cn('rounded-l-[11px] bg-on-soft transition-opacity duration-160', isPending && 'opacity-70')}
          />
          <Base.Thumb
            aria-label={label}
            {...(valueText && { getAriaValueText: (_: string, current: number) => valueText(current) })}
            className="grid h-10 w-6 place-items-center rounded-control after:h-6 after:w-1.5 after:rounded-full after:bg-on after:ring-1 after:ring-on-edge has-focus-visible:outline-2 has-focus-visible:outline-accent"
          />
        </Base.Track>
      </Base.Control>
    </Base.Root>
  )
}
