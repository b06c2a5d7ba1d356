import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { NeedsHand } from '#web/features/staff-dashboard/components/needs-hand.tsx'
import { OnlineChart } from '#web/features/staff-dashboard/components/online-chart.tsx'
import { RolloutsUnderWay } from '#web/features/staff-dashboard/components/rollouts-under-way.tsx'
import { TotalStrip, TotalStripLoading } from '#web/features/staff-dashboard/components/total-strip.tsx'
import { HourBars } from '#web/ui/charts/hour-bars.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { usePathOf } from '#web/routes/parts/use-path-of.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { useFleet } from '#web/lib/records/use-fleet.ts'
import { useStaffTotals } from '#web/lib/records/use-totals.ts'
import { phoneScreen, useMedia } from '#web/lib/use-media.ts'

/** /admin/dashboard and /monitor/dashboard: boards that need attention, and the totals that the role may see. */
export function Screen() {
  const t = useText()
  const intl = useIntl()
  const { serverTime } = useServices()
  const user = useUser()
  const totals = useStaffTotals()
  const fleet = useFleet()
  const { pathOf } = usePathOf()
  const maySeeFleet = pathOf('fleet') !== null
  // On a phone title, date and button fit on one line; on the narrowest without the date.
  const length = useMedia(phoneScreen) ? 'short' : 'long'
  return (
    <PageFrame
      title={t(user?.role === 'monitor' ? 'staff.monitorTitle' : 'staff.adminTitle')}
      aside={
        <span className="max-[24rem]:hidden">
          {intl.formatDate(serverTime.now(), { weekday: length, day: 'numeric', month: length })}
        </span>
      }
      actions={
        <RefreshButton
          isBusy={(totals.isFetching && !totals.isPending) || (fleet.isFetching && !fleet.isPending)}
          onClick={() => {
            void totals.refetch()
            if (maySeeFleet) void fleet.refetch()
          }}
        />
      }
      className="flex flex-col"
    >
      {/* On a phone the boards that need attention are above the totals. */}
      <div className={maySeeFleet ? 'max-sm:order-1 max-sm:mt-6' : undefined}>
        <QueryView query={totals} failed={t('staff.failed')} loading={<TotalStripLoading />}>
          {(data) => <TotalStrip totals={data} pathOf={pathOf} />}
        </QueryView>
      </div>
      {maySeeFleet && <FleetParts />}
    </PageFrame>
  )
}

function FleetParts() {
  const t = useText()
  const fleet = useFleet()
  const { pathOf, pathOfBoard } = usePathOf()
  const refusals = pathOf('unauthorized-logs')
  return (
    <div className="px-4 sm:px-6 sm:pt-6">
      <QueryView query={fleet} failed={t('staff.fleetFailed')} loading={<Skeleton className="h-80" />}>
        {(data) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(17rem,24rem)]">
            <NeedsHand fleet={data} pathOfBoard={pathOfBoard} listPath={pathOf('devices')} />
            <div className="grid content-start gap-6">
              <OnlineChart fleet={data} />
              <RolloutsUnderWay pathOf={pathOf} />
              {refusals !== null && (
                <div className="-mx-4 sm:-mx-6">
                  <HourBars
                    label={t('staff.refusals')}
                    hours={data.byHour}
                    peak={({ count, from, to }) => t('staff.peak', { count, from, to })}
                  />
                  <Link
                    to={refusals}
                    className="mx-4 inline-flex min-h-11 items-center text-14 font-medium text-accent hover:underline sm:mx-6"
                  >
                    {t('staff.unauthorizedLogs')}
                  </Link>
                </div>
              )}
            </div>
          </div>
        )}
      </QueryView>
    </div>
  )
}
