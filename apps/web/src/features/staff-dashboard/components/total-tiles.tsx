import {
  Cpu,
  DoorOpen,
  Heart,
  ScrollText,
  ShieldAlert,
  ToggleRight,
  UserCog,
  Users,
  CalendarClock,
  Wifi,
  Wrench,
  type LucideIcon
} from 'lucide-react'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { cardClass } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import type { MessageId } from '#web/i18n/message-id.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { StaffTotals } from '#web/features/staff-dashboard/api/get-staff-dashboard.ts'

interface Tile {
  total: keyof StaffTotals
  label: MessageId
  /** Below the role's own area (operations §2). */
  page: string
  icon: LucideIcon
}

export const staffTiles: readonly Tile[] = [
  { total: 'totalUsers', label: 'staff.users', page: 'users', icon: Users },
  { total: 'totalMonitors', label: 'staff.monitors', page: 'monitors', icon: UserCog },
  { total: 'totalDeviceTypes', label: 'staff.deviceTypes', page: 'device-types', icon: Wrench },
  { total: 'unauthorizedLogs', label: 'staff.unauthorizedLogs', page: 'unauthorized-logs', icon: ShieldAlert },
  { total: 'totalDevices', label: 'staff.devices', page: 'devices', icon: Cpu },
  { total: 'onlineDevices', label: 'staff.onlineDevices', page: 'devices?status=online', icon: Wifi },
  { total: 'totalSwitches', label: 'staff.switches', page: 'switches', icon: ToggleRight },
  { total: 'favoriteSwitches', label: 'staff.favoriteSwitches', page: 'favorite-switches', icon: Heart },
  { total: 'totalRooms', label: 'staff.rooms', page: 'rooms', icon: DoorOpen },
  { total: 'totalSchedules', label: 'staff.schedules', page: 'schedules', icon: CalendarClock },
  { total: 'switchActionHistory', label: 'staff.logs', page: 'logs', icon: ScrollText }
]
const gridClass = 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4'

export interface TotalTilesProps {
  totals: StaffTotals
  /** Where a tile leads, or null where that page does not exist for this role. */
  pathOf: (page: string) => string | null
}

/** One tile per total that was answered, each leading to its list. */
export function TotalTiles({ totals, pathOf }: TotalTilesProps) {
  const t = useText()
  const intl = useIntl()
  return (
    <ul className={gridClass}>
      {staffTiles.map(({ total, label, page, icon: Icon }) => {
        const value = totals[total]
        if (value === undefined) return null
        const path = pathOf(page)
        const content = (
          <>
            <Icon aria-hidden="true" size={20} className="text-ink-3" />
            <span className="mt-3 block text-28 font-semibold">{intl.formatNumber(value)}</span>
            <span className="block text-14 text-ink-2">{t(label)}</span>
          </>
        )
        return (
          <li key={total}>
            {path === null ? (
              <div className={cn(cardClass(false), 'h-full p-4')}>{content}</div>
            ) : (
              <Link to={path} className={cn(cardClass(false), 'block h-full p-4 hover:border-edge/60')}>
                {content}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

export function TotalTilesLoading() {
  const t = useText()
  return (
    <div className={gridClass}>
      <VisuallyHidden live="polite">{t('common.loading')}</VisuallyHidden>
      {staffTiles.map(({ total }) => (
        <Skeleton key={total} className="h-31 rounded-card" />
      ))}
    </div>
  )
}
