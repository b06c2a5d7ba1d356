import { X } from 'lucide-react'
import { useText } from '#web/lib/i18n/use-text.ts'

/** A filter that stays until it is removed. */
export function RemovableChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  const t = useText()
  return (
    <span className="inline-flex min-h-11 max-w-72 items-center rounded-full border border-line bg-well pl-4 text-14 font-medium">
      <span title={label} className="truncate">
        {label}
      </span>
      <button
        type="button"
        aria-label={t('table.removeFilter', { name: label })}
        title={t('table.removeFilter', { name: label })}
        onClick={onRemove}
        className="grid size-11 shrink-0 place-items-center rounded-full text-ink-3 hover:text-ink"
      >
        <X size={16} />
      </button>
    </span>
  )
}
