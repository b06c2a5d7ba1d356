import { Progress as Base } from '@base-ui/react/progress'
import { useIntl } from 'react-intl'

/** A progress bar, 0 to 1; null when the progress is unknown. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  const { locale } = useIntl()
  return (
    <Base.Root value={value === null ? null : Math.round(value * 100)} locale={locale} className="grid gap-1.5">
      <div className="flex justify-between text-14 text-ink-2">
        <Base.Label>{label}</Base.Label>
        <Base.Value />
      </div>
      <Base.Track className="h-2 overflow-hidden rounded-full bg-well">
        <Base.Indicator className="h-full rounded-full bg-accent transition-[width] duration-240 data-indeterminate:w-1/3 data-indeterminate:animate-breathe" />
      </Base.Track>
    </Base.Root>
  )
}
