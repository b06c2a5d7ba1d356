import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

const gridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,10.25rem),1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] sm:gap-4'

export function DeviceGrid({ children }: { children: ReactNode }) {
  return <div className={gridClass}>{children}</div>
}

/** As many places as a home usually has boards, of a card's size. */
export function DeviceGridLoading() {
  const t = useText()
  return (
    <div className={gridClass}>
      <VisuallyHidden live="polite">{t('common.loading')}</VisuallyHidden>
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} className="h-62 rounded-card" />
      ))}
    </div>
  )
}
