import type { SwitchRecord } from '@batti/contracts'
import { Link } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { OutletWell } from '#web/ui/outlet-well.tsx'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { isLit, isUnknown } from '#web/lib/live/outlet-view.ts'
import { useLiveOutlet } from '#web/lib/live/use-live-device.ts'
import { unknownView } from '#web/features/switches/unknown-view.ts'

/** The dashboard's list of favourites: name, type in upper case, room, ON or OFF. */
export function FavoriteDetails({ records }: { records: readonly SwitchRecord[] }) {
  const t = useText()
  if (records.length === 0) return <p className="py-4 text-14 text-ink-2">{t('dashboard.noFavorites')}</p>
  return (
    <div className="@container">
      <ul className="grid grid-cols-1 gap-x-8 @min-[34rem]:grid-cols-2">
        {records.map((record) => (
          <FavoriteDetail key={record._id} record={record} />
        ))}
      </ul>
    </div>
  )
}

/** One line, or two with large letters. */
const lineClass = 'block truncate @max-[14rem]:line-clamp-2 @max-[14rem]:whitespace-normal'

function FavoriteDetail({ record }: { record: SwitchRecord }) {
  const t = useText()
  const view = useLiveOutlet(record.deviceMac, record.switchIndex) ?? unknownView(record)
  const isKnown = !isUnknown(view)
  const name = record.switchName.trim() === '' ? t('dashboard.unnamed') : switchWords(t, record.switchName)
  const place = dotted(t(`dashboard.type.${record.type}`), record.roomId?.roomName ?? t('switch.unknownRoom'))
  return (
    <li>
      <Link
        to={`/user/switches/${record._id}`}
        className="flex items-center gap-x-3 rounded-control py-2.5 hover:bg-well/60 @max-[14rem]:flex-wrap"
      >
        <OutletWell kind={record.type} view={view} />
        <span className="min-w-0 flex-1">
          <span className={cn(lineClass, 'font-medium')} title={name}>
            {name}
          </span>
          <span className={cn(lineClass, 'text-14 text-ink-2')} title={place}>
            {place}
          </span>
        </span>
        {/* With large letters it wraps below the name. */}
        <span
          className={cn('@max-[14rem]:w-full @max-[14rem]:text-right', isLit(view) ? 'font-semibold' : 'text-ink-2')}
        >
          {isKnown
            ? t(view.on ? 'dashboard.isOn' : 'dashboard.isOff')
            : t(`devices.${view.phase === 'offline' ? 'offline' : 'stale'}`)}
        </span>
      </Link>
    </li>
  )
}
