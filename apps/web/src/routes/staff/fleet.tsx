import { CommandChart } from '#web/features/staff-dashboard/components/command-chart.tsx'
import { HealthStrip } from '#web/features/staff-dashboard/components/health-strip.tsx'
import { NeedsHand } from '#web/features/staff-dashboard/components/needs-hand.tsx'
import { OnlineChart } from '#web/features/staff-dashboard/components/online-chart.tsx'
import { VersionBars } from '#web/features/staff-dashboard/components/version-bars.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { usePathOf } from '#web/routes/parts/use-path-of.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useFleet } from '#web/lib/records/use-fleet.ts'

/** /admin/fleet and /monitor/fleet: the health of all boards. */
export function Screen() {
  const t = useText()
  const fleet = useFleet()
  const { pathOf, pathOfBoard } = usePathOf()
  const listPath = pathOf('devices') ?? ''
  return (
    <PageFrame title={t('fleetPage.title')}>
      <QueryView query={fleet} failed={t('fleetPage.failed')} loading={<Skeleton className="mx-4 h-96 sm:mx-6" />}>
        {(data) => (
          <>
            <HealthStrip fleet={data} listPath={listPath} />
            <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 px-4 pt-6 sm:px-6 lg:grid-cols-[minmax(0,1fr)_minmax(17rem,25rem)]">
              <NeedsHand fleet={data} pathOfBoard={pathOfBoard} listPath={pathOf('devices')} />
              <div className="grid grid-cols-1 content-start gap-8">
                <OnlineChart fleet={data} />
                <CommandChart hours={data.commandsByHour} />
                <VersionBars versions={data.versions} listPath={listPath === '' ? null : listPath} />
              </div>
            </div>
          </>
        )}
      </QueryView>
    </PageFrame>
  )
}
