import { CalendarClock, Cpu, DoorOpen, Heart, ToggleRight, Wifi, type LucideIcon } from 'lucide-react'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { cardClass } from '#web/ui/card.tsx'
import { cn } from '#web/lib/cn.ts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { Dashboard } from '#web/features/dashboard/api/get-dashboard.ts'

type Total = 'totalDevices' | 'onlineDevices' | 'totalSwitches' | 'favoriteSwitches' | 'totalRooms' | 'totalSchedules'
const tiles: readonly { total: Total; to: string; label: MessageId; icon: LucideIcon }[] = [
  { total: 'totalDevices', to: '/user/devices', label: 'dashboard.totalDevices', icon: Cpu },
  { total: 'onlineDevices', to: '/user/devices', label: 'dashboard.onlineDevices', icon: Wifi },
  { total: 'totalSwitches', to: '/user/switches', label: 'dashboard.totalSwitches', icon: ToggleRight },
  { total: 'favoriteSwitches', to: '/user/favorite-switches', label: 'dashboard.favoriteSwitches', icon: Heart },
  { total: 'totalRooms', to: '/user/rooms', label: 'dashboard.totalRooms', icon: DoorOpen },
  { total: 'totalSchedules', to: '/user/schedules', label: 'dashboard.schedules', icon: CalendarClock }
]

/** Totals, each with a link to its list. */
export function DashboardTiles({ totals }: { totals: Pick<Dashboard, Total> }) {
  const t = useText()
  const intl = useIntl()
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))] gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-6">
      {tiles.map(({ total, to, label, icon: Icon }) => (
        <li key={total} className="grid">
          <Link to={to} className={cn(cardClass(false), 'grid content-start gap-1 p-4 hover:border-edge/60')}>
            <Icon aria-hidden="true" size={20} className="mb-1 text-ink-3" />
            <span className="text-28 font-semibold">{intl.formatNumber(totals[total])}</span>
            <span className="text-14 text-ink-2">{t(label)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
