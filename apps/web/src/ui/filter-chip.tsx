import { Menu as Base } from '@base-ui/react/menu'
import { Check, ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import { cn } from '#web/lib/cn.ts'
import { focusAfterEscape } from './overlays/after-escape.ts'
import { BackCloses } from './overlays/back-closes.tsx'
import { popupClass } from './overlays/menu.tsx'

export interface FilterChipProps {
  /** The name of the filter, shown while nothing is chosen. */
  label: string
  /** '' for no filter. */
  value: string
  /** The first is usually `''`: no filter. */
  choices: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

/** A chip that filters a list by one value and shows it. */
export function FilterChip({ label, value, choices, onChange }: FilterChipProps) {
  const chosen = value === '' ? undefined : choices.find((choice) => choice.value === value)
  const actions = useRef<Base.Root.Actions>(null)
  return (
    <Base.Root actionsRef={actions} onOpenChange={focusAfterEscape}>
      <Base.Trigger
        aria-label={chosen === undefined ? label : `${label}: ${chosen.label}`}
        className={cn(
          'inline-flex min-h-11 max-w-64 shrink-0 items-center gap-1.5 rounded-full border px-4 text-14 font-medium whitespace-nowrap transition-colors duration-160',
          chosen === undefined
            ? 'border-edge text-ink-2 hover:bg-well hover:text-ink'
            : 'border-transparent bg-ink text-page'
        )}
      >
        <span className="truncate">{chosen?.label ?? label}</span>
        <ChevronDown aria-hidden="true" size={16} />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-60" sideOffset={6} align="start" collisionPadding={8}>
          <Base.Popup className={popupClass}>
            <BackCloses popup={actions} />
            <Base.RadioGroup value={value} onValueChange={(next) => onChange(String(next))}>
              {choices.map((choice) => (
                <Base.RadioItem
                  key={choice.value}
                  value={choice.value}
                  closeOnClick
                  className="flex min-h-11 w-full max-w-80 cursor-default items-center gap-3 rounded-xl px-3 py-1.5 -outline-offset-2 select-none data-highlighted:bg-well"
                >
                  <span className="min-w-0 flex-1 wrap-anywhere">{choice.label}</span>
                  <Base.RadioItemIndicator className="text-accent">
                    <Check size={18} />
                  </Base.RadioItemIndicator>
                </Base.RadioItem>
              ))}
            </Base.RadioGroup>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
