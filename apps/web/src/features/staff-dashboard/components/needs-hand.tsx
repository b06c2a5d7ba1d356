import { listFleetAttention, type FleetRecord, type HealthReason } from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { FilterTabs } from '#web/ui/data-table/table-tools.tsx'
import { TextLink } from '#web/ui/link-button.tsx'
import { PresenceBand } from '#web/ui/charts/presence-band.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { secondsIn, spansOf } from '#web/lib/charts/spans.ts'
import { fleetCounts } from '#web/lib/records/fleet-counts.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi, useServices } from '#web/lib/services.ts'

/** Reasons that need attention today; not outdated boards, nor those that were never set up. */
const urgent = ['silent', 'flapping', 'failing', 'weak'] as const satisfies readonly HealthReason[]
const shownFew = 8
/** The most that one call is asked for. */
const shownMost = 100

export interface NeedsHandProps {
  fleet: FleetRecord
  /** Returns the path of a board's page, or of the list filtered to it. */
  pathOfBoard: (device: { _id: string; deviceMac: string }) => string
  /** The list of boards, for a person who may open it. */
  listPath: string | null
}

/** Boards that need attention, worst first, each with its last day. */
export function NeedsHand({ fleet, pathOfBoard, listPath }: NeedsHandProps) {
  const t = useText()
  const intl = useIntl()
  const api = useApi()
  const { serverTime } = useServices()
  const [reason, setReason] = useState('')
  const [isWhole, setWhole] = useState(false)
  const firstNew = useRef<HTMLAnchorElement>(null)
  // The button that was pressed is gone: the keyboard continues at the first of the new boards.
  useEffect(() => {
    if (isWhole) firstNew.current?.focus({ preventScroll: true })
  }, [isWhole])
  const chosen = urgent.find((one) => one === reason)
  const counts = fleetCounts(fleet)
  const found = useQuery({
    queryKey: [...queryKeys.fleet, 'attention', reason],
    queryFn: ({ signal }) =>
      api.call(listFleetAttention, { query: { reason: chosen ?? urgent.join(','), limit: shownMost }, signal }),
    placeholderData: keepPreviousData
  })
  const now = serverTime.now()
  const window = { from: now - dayMs, to: now }
  return (
    <section aria-labelledby="needs-hand" className="min-w-0">
      <h2 id="needs-hand" className="text-16 font-semibold">
        {t('staff.needsHand')}
      </h2>
      <FilterTabs
        label={t('staff.needsHand')}
        value={reason}
        tabs={[
          { value: '', label: t('table.all') },
          ...urgent.map((value) => ({ value, label: t(`healthChip.${value}`), count: counts[value] }))
        ]}
        onChange={setReason}
        className="-mx-4 py-2.5 sm:-mx-1 sm:px-1"
      />
      <QueryView query={found} failed={t('staff.needsHandFailed')} loading={<Skeleton className="h-60" />}>
        {({ boards }) => {
          const rows = boards.filter(({ reason: why }) => chosen === undefined || chosen === why)
          if (rows.length === 0)
            return <p className="border-t border-line py-4 text-14 text-ink-2">{t('staff.allWell')}</p>
          const shown = isWhole ? rows : rows.slice(0, shownFew)
          return (
            <>
              <ul>
                {shown.map(({ device, reason: why, since, online24h }, place) => {
                  const name = device.setName || device.deviceMac
                  const more = dotted(
                    device.owner?.name ?? t('staff.noOwner'),
                    since === null ? '' : t('staff.since', { time: clockTime(intl, Date.parse(since), now) })
                  )
                  const spans = spansOf(online24h)
                  const hours = Math.round((secondsIn(spans, window) / 3600) * 10) / 10
                  return (
                    <li key={device._id} className="border-t border-line">
                      <Link
                        {...(place === shownFew && { ref: firstNew })}
                        to={pathOfBoard(device)}
                        className="-mx-2 grid min-h-13 grid-cols-[minmax(0,1fr)] items-center gap-x-6 gap-y-1.5 rounded-control px-2 py-2 hover:bg-well/60 sm:grid-cols-[minmax(0,1fr)_minmax(9rem,14rem)]"
                      >
                        <span className="min-w-0 text-14">
                          <span className="flex gap-2">
                            <span title={name} className="truncate font-medium">
                              {name}
                            </span>
                            <span className="ml-auto shrink-0 text-warn sm:ml-0">{t(`health.${why}`)}</span>
                          </span>
                          <span title={more} className="block truncate text-12 text-ink-3">
                            {more}
                          </span>
                        </span>
                        <PresenceBand label={t('staff.onlineOfDay', { hours })} spans={spans} window={window} />
                      </Link>
                    </li>
                  )
                })}
              </ul>
              <Others
                known={rows.length}
                shown={shown.length}
                isCut={boards.length >= shownMost}
                inList={
                  chosen !== undefined && listPath !== null
                    ? { count: counts[chosen], path: `${listPath}?health=${chosen}` }
                    : null
                }
                onShow={() => setWhole(true)}
              />
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

interface OthersProps {
  known: number
  shown: number
  /** There may be more boards than are known here. */
  isCut: boolean
  /** All boards of the chosen reason. */
  inList: { count: number; path: string } | null
  onShow: () => void
}

function Others({ known, shown, isCut, inList, onShow }: OthersProps) {
  const t = useText()
  return (
    <div className="flex flex-wrap gap-x-6 border-t border-line text-14">
      {known > shown && (
        <button
          type="button"
          onClick={onShow}
          className="min-h-11 font-medium text-accent underline-offset-4 hover:underline"
        >
          {isCut ? t('staff.moreFirst', { count: known }) : t('staff.more', { count: known - shown })}
        </button>
      )}
      {isCut && inList !== null && (
        <TextLink to={inList.path} className="inline-flex min-h-11 items-center">
          {t('staff.moreInList', { count: inList.count })}
        </TextLink>
      )}
    </div>
  )
}
