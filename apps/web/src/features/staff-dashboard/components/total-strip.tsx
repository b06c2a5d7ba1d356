import { KeyRound } from 'lucide-react'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { MessageId } from '#web/i18n/message-id.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { StaffTotals } from '#web/lib/records/use-totals.ts'

interface Tile {
  total: keyof StaffTotals
  label: MessageId
  /** The path below the role's prefix. */
  page: string
}

const tiles: readonly Tile[] = [
  { total: 'totalUsers', label: 'staff.users', page: 'users' },
  { total: 'totalDevices', label: 'staff.devices', page: 'devices' },
  { total: 'onlineDevices', label: 'staff.onlineDevices', page: 'devices?status=online' },
  { total: 'totalSwitches', label: 'staff.switches', page: 'switches' },
  { total: 'favoriteSwitches', label: 'staff.favoriteSwitches', page: 'favorite-switches' },
  { total: 'totalRooms', label: 'staff.rooms', page: 'rooms' },
  { total: 'totalSchedules', label: 'staff.schedules', page: 'schedules' },
  { total: 'switchActionHistory', label: 'staff.logs', page: 'logs' },
  { total: 'totalMonitors', label: 'staff.monitors', page: 'monitors' },
  { total: 'totalDeviceTypes', label: 'staff.deviceTypes', page: 'device-types' },
  { total: 'unauthorizedLogs', label: 'staff.unauthorizedLogs', page: 'unauthorized-logs' }
]
// Lines between the numbers only: the outer ones are cut off at the sheet's edges.
const gridClass =
  'grid grid-cols-2 overflow-hidden border-y border-line sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6 [&>*]:-mr-px [&>*]:-mb-px [&>*]:border-r [&>*]:border-b [&>*]:border-line'

export interface TotalStripProps {
  totals: StaffTotals
  /** Returns the path of a number's page, or null if this person has no such page. */
  pathOf: (page: string) => string | null
}

/** One number for each total in the answer, linked to its list; a monitor may have none. */
export function TotalStrip({ totals, pathOf }: TotalStripProps) {
  const t = useText()
  const intl = useIntl()
  const known = tiles.flatMap((tile) => {
    const value = totals[tile.total]
    return value === undefined ? [] : [{ ...tile, value }]
  })
  if (known.length === 0)
    return (
      <EmptyState
        drawing={<KeyRound size={40} strokeWidth={1.4} />}
        title={t('staff.noPages')}
        body={t('staff.noPagesHint')}
      />
    )
  return (
    <ul className={gridClass}>
      {known.map(({ total, label, page, value }) => {
        const path = pathOf(page)
        const content = (
          <>
            <span className="block text-12 text-ink-3">{t(label)}</span>
            <span className="block text-20 font-semibold tabular-nums">{intl.formatNumber(value)}</span>
          </>
        )
        return (
          <li key={total}>
            {path === null ? (
              <div className="px-4 py-3 sm:px-6">{content}</div>
            ) : (
              <Link to={path} className="block h-full px-4 py-3 -outline-offset-2 hover:bg-well/60 sm:px-6">
                {content}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

export function TotalStripLoading() {
  return (
    <div className={gridClass}>
      {tiles.map(({ total }) => (
        <div key={total} className="px-4 py-3 sm:px-6">
          <Skeleton className="mb-1 h-4 w-24" />
          <Skeleton className="h-6 w-14" />
        </div>
      ))}
    </div>
  )
}
