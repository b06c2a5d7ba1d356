import type { SwitchRecord } from '@batti/contracts'
import { Skeletons } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { SwitchCard, type SwitchCardProps } from './switch-card.tsx'

/**
 * Cards of 160 to 200 px: as many as fit, or the 3 or 6 columns of the home screen; on a phone two, or one with large
 * letters.
 */
const gridClass = {
  fitting:
    'grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] sm:gap-4',
  home: 'grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-3 sm:grid-cols-[repeat(3,minmax(0,12.5rem))] min-[68rem]:grid-cols-[repeat(6,minmax(0,12.5rem))]'
}

export interface SwitchGridProps extends Omit<SwitchCardProps, 'record' | 'onSince'> {
  records: readonly SwitchRecord[]
  columns: keyof typeof gridClass
  /** Since when they have been on, by id, where known. */
  since: ReadonlyMap<string, number> | undefined
  /** The name of the list for screen readers. */
  label: string
}

export function SwitchGrid({ records, columns, label, since, ...card }: SwitchGridProps) {
  return (
    <ul aria-label={label} className={gridClass[columns]}>
      {records.map((record) => (
        <li key={record._id} className="grid grid-cols-1">
          <SwitchCard record={record} onSince={since?.get(record._id)} {...card} />
        </li>
      ))}
    </ul>
  )
}

/** Placeholders in the number and size of a usual home's cards. */
export function SwitchGridLoading({ columns, count = 6 }: { columns: keyof typeof gridClass; count?: number }) {
  const t = useText()
  return (
    <div className={gridClass[columns]}>
      <VisuallyHidden live="polite">{t('common.loading')}</VisuallyHidden>
      <Skeletons count={count} className="h-35 w-full rounded-card sm:h-40" />
    </div>
  )
}
