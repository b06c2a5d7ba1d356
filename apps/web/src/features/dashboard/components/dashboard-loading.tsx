import { Skeleton, Skeletons } from '#web/ui/skeleton.tsx'

/** Placeholders of the tiles and the two panels. */
export function DashboardLoading() {
  return (
    <div className="grid gap-4">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))] gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-6">
        <Skeletons count={6} className="h-30 rounded-card" />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-56 rounded-card" />
        <Skeleton className="h-56 rounded-card" />
      </div>
    </div>
  )
}
