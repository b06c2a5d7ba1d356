import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { focusAfterEscape } from '../overlays/after-escape.ts'
import { BackCloses } from '../overlays/back-closes.tsx'
import { controlClass, Field, useFieldControl, type FieldProps } from './field.tsx'

export interface Choice<Value extends string> {
  value: Value
  label: string
  /** Beside the label: a colour dot, a code. */
  mark?: React.ReactNode
}

export interface SelectProps<Value extends string> extends Omit<FieldProps, 'children'> {
  value: Value
  onChange: (value: Value) => void
  choices: readonly Choice<Value>[]
  /** What the closed box shows, if not the choice's label. */
  shown?: (choice: Choice<Value>) => React.ReactNode
  /** Shown in the closed box while nothing is chosen, and in a list without choices if there is neither error nor hint. */
  placeholder?: string
}

/** A choice among a few options, by keyboard or touch, with type-ahead. */
export function Select<Value extends string>({
  label,
  error,
  isWrong,
  hint,
  aside,
  className,
  ...list
}: SelectProps<Value>) {
  return (
    <Field label={label} error={error} isWrong={isWrong} hint={hint} aside={aside} className={className}>
      <Listbox {...list} whyEmpty={error ?? hint} />
    </Field>
  )
}

interface ListboxProps<Value extends string> extends Omit<SelectProps<Value>, keyof FieldProps> {
  whyEmpty: React.ReactNode
}

function Listbox<Value extends string>(props: ListboxProps<Value>) {
  const { value, onChange, choices, shown, placeholder = '', whyEmpty } = props
  const control = useFieldControl()
  const trigger = useRef<HTMLButtonElement>(null)
  const actions = useRef<Base.Root.Actions>(null)
  const [isOpen, setOpen] = useState(false)
  const current = choices.find((choice) => choice.value === value)
  return (
    <Base.Root
      items={choices}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      actionsRef={actions}
      onOpenChange={(open, { reason }) => {
        setOpen(open)
        focusAfterEscape(open, { reason, trigger: trigger.current })
      }}
    >
      {isOpen && <BackCloses popup={actions} />}
      <Base.Trigger
        {...control}
        ref={trigger}
        className={cn(controlClass, 'flex items-center justify-between gap-2 text-left select-none')}
      >
        <span title={current?.label} className="flex min-w-0 items-center gap-2 truncate">
          {current?.mark}
          <Base.Value className="truncate">
            {() => (current === undefined ? placeholder : (shown?.(current) ?? current.label))}
          </Base.Value>
        </span>
        <Base.Icon className="text-ink-3">
          <ChevronsUpDown size={16} />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-60" sideOffset={6} alignItemWithTrigger={false}>
          <Base.Popup className="max-h-(--available-height) max-w-(--available-width) min-w-(--anchor-width) overflow-y-auto rounded-2xl border border-line bg-raised p-1.5 shadow-float outline-none transition-[opacity,translate] duration-160 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0">
            <p role="status" className="px-3 text-14 text-ink-2 not-empty:py-2">
              {choices.length === 0 && (whyEmpty ?? placeholder)}
            </p>
            <Base.List>
              {choices.map((choice) => (
                <Base.Item
                  key={choice.value}
                  value={choice.value}
                  className="flex min-h-11 cursor-default items-center gap-2.5 rounded-xl px-3 py-1.5 -outline-offset-2 select-none data-highlighted:bg-well"
                >
                  {choice.mark}
                  <Base.ItemText className="min-w-0 flex-1 wrap-anywhere">{choice.label}</Base.ItemText>
                  <Base.ItemIndicator className="text-accent">
                    <Check size={18} />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
