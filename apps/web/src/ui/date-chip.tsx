import { cn } from '#web/lib/cn.ts'
import { useTypedDate } from '#web/lib/form/use-typed-date.ts'

export interface DateChipProps {
  label: string
  /** A calendar date, or '' for none. */
  value: string
  /** `isCorrection`: the date replaces one that was typed just before. */
  onChange: (date: string, isCorrection: boolean) => void
}

/** A date filter with the browser's own date picker, as narrow as it can be; Firefox's needs its full width. */
export function DateChip({ label, value, onChange }: DateChipProps) {
  const typed = useTypedDate(value, onChange)
  return (
    <label
      className={cn(
        'inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full border px-3 text-14 whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        value === '' ? 'border-edge text-ink-2' : 'border-ink text-ink'
      )}
    >
      <span className="font-medium">{label}</span>
      <input
        type="date"
        {...typed}
        className="w-27 min-w-0 bg-transparent outline-none supports-[-moz-appearance:none]:w-auto [&::-webkit-calendar-picker-indicator]:ml-0.5"
      />
    </label>
  )
}
