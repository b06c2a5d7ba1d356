import type { ReactNode } from 'react'
import { Skeletons } from '#web/ui/skeleton.tsx'

const gridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,10.25rem),1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] sm:gap-4'

export function DeviceGrid({ children }: { children: ReactNode }) {
  return <div className={gridClass}>{children}</div>
}

/** Placeholders in the number and size of a usual home's cards. */
export function DeviceGridLoading() {
  return (
    <div className={gridClass}>
      <Skeletons count={4} className="h-62 rounded-card" />
    </div>
  )
}
