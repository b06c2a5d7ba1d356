import { useId } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface SegmentedProps<Value extends string> {
  label: string
  value: Value | ''
  /** `lang`: the language of a label that is not the page's. */
  choices: readonly { value: Value; label: string; lang?: string }[]
  onChange: (value: Value) => void
  /** The label is for screen readers only, as the text beside the control says the same. */
  hasHiddenLabel?: boolean
  className?: string
}

/** A choice among two or three visible options. Native radio buttons: arrow keys move between them. */
export function Segmented<Value extends string>({
  label,
  value,
  choices,
  onChange,
  hasHiddenLabel = false,
  className
}: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className={cn('grid content-start gap-1.5', className)}>
      <legend className={cn('mb-1.5 text-14 font-medium text-ink-2', hasHiddenLabel && 'sr-only')}>{label}</legend>
      <div className="flex min-h-12 flex-wrap gap-1 rounded-control border border-edge bg-well/60 p-0.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            lang={choice.lang}
            className="grid min-h-11 max-w-full min-w-max flex-1 basis-0 cursor-pointer place-items-center rounded-lg px-2 text-center text-14 font-medium text-ink-2 transition-colors duration-160 hover:text-ink has-checked:bg-ink has-checked:text-page has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="sr-only"
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
