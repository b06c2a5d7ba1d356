import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'

export interface CheckboxProps {
  isChecked: boolean
  /** Some, but not all, of the items are checked. */
  isPartly?: boolean
  onChange: () => void
  /** For screen readers. */
  label: string
  tabIndex?: number
  className?: string
}

/** Drawn at 18 px, with a touch target of 44 px. */
export function Checkbox({ isChecked, isPartly = false, onChange, label, tabIndex, className }: CheckboxProps) {
  return (
    <Base.Root
      checked={isChecked}
      indeterminate={isPartly}
      onCheckedChange={onChange}
      aria-label={label}
      {...(tabIndex !== undefined && { tabIndex })}
      className={cn(
        'relative grid size-4.5 shrink-0 cursor-pointer place-items-center rounded-[5px] border border-edge bg-card text-accent-ink after:absolute after:-inset-3 data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent',
        className
      )}
    >
      <Base.Indicator className="grid place-items-center">
        {isPartly ? <Minus size={13} strokeWidth={3} /> : <Check size={13} strokeWidth={3} />}
      </Base.Indicator>
    </Base.Root>
  )
}
