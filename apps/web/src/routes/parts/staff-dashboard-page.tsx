import type { Role } from '@batti/contracts'
import { FailedState } from '#web/ui/failed-state.tsx'
import { useStaffDashboard } from '#web/features/staff-dashboard/api/get-staff-dashboard.ts'
import { TotalTiles, TotalTilesLoading } from '#web/features/staff-dashboard/components/total-tiles.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { hasScreen } from '#web/app/routing/screens.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** The dashboard of staff: a heading and the totals that the role may see. */
export function StaffDashboardPage({ role, title }: { role: Exclude<Role, 'user'>; title: string }) {
  const t = useText()
  usePageTitle(title)
  const dashboard = useStaffDashboard()
  const pathOf = (page: string) => {
    const path = `/${role}/${page}`
    return hasScreen(path.split('?')[0] ?? path) ? path : null
  }
  return (
    <div className="mx-auto w-full max-w-300 px-4 py-6 sm:px-6 sm:py-8">
      <h1 className="mb-5 text-28 font-semibold">{title}</h1>
      {dashboard.isPending ? (
        <TotalTilesLoading />
      ) : dashboard.isError ? (
        <FailedState
          title={t('staff.failed')}
          isRetrying={dashboard.isFetching}
          onRetry={() => void dashboard.refetch()}
        />
      ) : (
        <TotalTiles totals={dashboard.data} pathOf={pathOf} />
      )}
    </div>
  )
}
