import { RotateCw } from 'lucide-react'
import { useIntl } from 'react-intl'
import { TotalStrip, TotalStripLoading } from '#web/features/staff-dashboard/components/total-strip.tsx'
import { mayOpen } from '#web/app/routing/screens.ts'
import { Button } from '#web/ui/button.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { useStaffTotals } from '#web/lib/use-totals.ts'

/** /admin/dashboard and /monitor/dashboard: the totals that the role may see, each the way to its list. */
export function Screen() {
  const t = useText()
  const intl = useIntl()
  const { clock } = useServices()
  const user = useUser()
  const totals = useStaffTotals()
  const pathOf = (page: string) => {
    const path = `/${user?.role ?? ''}/${page}`
    return user !== null && mayOpen(user, path) ? path : null
  }
  return (
    <PageFrame
      title={t(user?.role === 'monitor' ? 'staff.monitorTitle' : 'staff.adminTitle')}
      aside={intl.formatDate(clock.now(), { weekday: 'long', day: 'numeric', month: 'long' })}
      actions={
        <Button
          variant="ghost"
          isBusy={totals.isFetching && !totals.isPending}
          onClick={() => void totals.refetch()}
          className="text-14 font-medium"
        >
          <RotateCw aria-hidden="true" size={18} />
          {t('staff.refresh')}
        </Button>
      }
    >
      <QueryView query={totals} failed={t('staff.failed')} loading={<TotalStripLoading />}>
        {(data) => <TotalStrip totals={data} pathOf={pathOf} />}
      </QueryView>
    </PageFrame>
  )
}
