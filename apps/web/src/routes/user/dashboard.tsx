import { RotateCw } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Page, panelClass, Section } from '#web/ui/page.tsx'
import { useDashboard, type Dashboard } from '#web/features/dashboard/api/get-dashboard.ts'
import { DashboardLoading } from '#web/features/dashboard/components/dashboard-loading.tsx'
import { DashboardTiles } from '#web/features/dashboard/components/dashboard-tiles.tsx'
import { SwitchStatePanel } from '#web/features/dashboard/components/switch-state-panel.tsx'
import { liveTotals } from '#web/features/dashboard/live-totals.ts'
import { useDevices } from '#web/features/devices/api/list-devices.ts'
import { OnTimeWeek } from '#web/features/on-times/components/on-time-week.tsx'
import { FavoriteDetails } from '#web/features/switches/components/favorite-details.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { queryKeys } from '#web/lib/query-keys.ts'

const shownHere = [queryKeys.dashboard, queryKeys.devices, queryKeys.onTimes]

/** /user/dashboard. */
export function Screen() {
  const t = useText()
  const dashboard = useDashboard()
  const queryClient = useQueryClient()
  const refresh = () => shownHere.forEach((queryKey) => void queryClient.invalidateQueries({ queryKey }))
  return (
    <Page
      title={t('dashboard.title')}
      actions={
        <Button variant="quiet" isBusy={dashboard.isFetching && !dashboard.isPending} onClick={refresh}>
          <RotateCw aria-hidden="true" size={18} />
          {t('dashboard.refresh')}
        </Button>
      }
    >
      <QueryView
        query={dashboard}
        failed={t('dashboard.failed')}
        loading={<DashboardLoading />}
        isEmpty={(data) => data === null}
        empty={<EmptyState title={t('dashboard.empty')} />}
      >
        {(data) => data !== null && <DashboardContent dashboard={data} />}
      </QueryView>
    </Page>
  )
}

function DashboardContent({ dashboard }: { dashboard: Dashboard }) {
  const t = useText()
  const devices = useDevices()
  const lives = useLiveStates((devices.data?.devices ?? []).map(({ deviceMac }) => deviceMac))
  const live = liveTotals(dashboard, lives)
  return (
    <div className="grid grid-cols-1 gap-4 sm:gap-5">
      <DashboardTiles totals={{ ...dashboard, onlineDevices: live.onlineDevices }} />
      <div className="grid grid-cols-1 gap-4 sm:gap-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <Section title={t('dashboard.switchState')} className={panelClass}>
          <SwitchStatePanel state={live.switchState} />
        </Section>
        <Section title={t('dashboard.details')} className={panelClass}>
          <FavoriteDetails records={dashboard.favoriteSwitchesDetails} />
        </Section>
      </div>
      <Section title={t('onTime.week')} className={panelClass}>
        <OnTimeWeek linkTo={(id) => `/user/switches/${id}`} />
      </Section>
    </div>
  )
}
