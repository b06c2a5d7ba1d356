import type { DeviceRecord } from '@batti/contracts'
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { cardClass } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { Name } from '#web/ui/name.tsx'
import { BoardUpdate } from '#web/ui/board-update.tsx'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { countOutlets, isLit } from '#web/lib/live/outlet-view.ts'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { DeviceImage } from './device-image.tsx'
import { PresenceBadge } from './presence-badge.tsx'

export interface DeviceCardProps {
  device: DeviceRecord
  onOpen: () => void
  /** Items of the options menu: view, edit, delete. */
  actions: ReactNode
}

/** A board: its state, its room, and what is on. The whole card opens its switches. */
export function DeviceCard({ device, onOpen, actions }: DeviceCardProps) {
  const t = useText()
  const { live, outlets } = useLiveDevice(device)
  const update = useDeviceUpdate(device.deviceMac, device.firmware)
  const name = deviceTitle(device)
  const burning = countOutlets([live]).on
  const isReachable = live.isFresh && live.isOnline
  return (
    <article
      className={cn(
        cardClass(burning > 0, !isReachable),
        'group relative flex flex-col p-3.5',
        !isReachable && 'bg-transparent'
      )}
    >
      <div className="flex min-h-7 items-center pr-10">
        <PresenceBadge live={live} update={update} isShort />
      </div>
      <div className={cn('my-2 transition-[filter,opacity] duration-160', !isReachable && 'opacity-70 grayscale')}>
        <DeviceImage
          url={device.deviceImage}
          outlets={outlets.map((view) => ({ kind: view.kind, isLit: isLit(view) }))}
        />
      </div>
      <h2 className="font-semibold tracking-tight">
        {/* The card's one large target; the menu is above it. */}
        <button
          type="button"
          onClick={onOpen}
          className="text-left outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent"
        >
          <Name>{name}</Name>
        </button>
      </h2>
      {name !== device.deviceName && (
        <p className="truncate text-14 text-ink-2" title={device.deviceName}>
          {device.deviceName}
        </p>
      )}
      <p className="truncate text-14 text-ink-3" title={device.setRoom?.roomName}>
        {device.setRoom?.roomName ?? t('devices.noRoom')}
      </p>
      <BoardUpdate update={update} live={live} className="mt-2 text-12" />
      <div className="mt-auto flex flex-wrap items-baseline justify-between gap-x-2 pt-2.5">
        <span className={cn('text-14', burning > 0 ? 'font-medium text-ink' : 'text-ink-3')}>
          <DeviceState live={live} burning={burning} />
        </span>
        <span className="font-mono text-12 whitespace-nowrap text-ink-3">{device.deviceMac}</span>
      </div>
      <div className="absolute top-1.5 right-1.5">
        <Menu trigger={<IconButton label={t('devices.options', { name })} icon={<Ellipsis size={20} />} />}>
          {actions}
        </Menu>
      </div>
    </article>
  )
}

/** What is on, or since when the board is offline; nothing while that is unknown. */
function DeviceState({ live, burning }: { live: DeviceLive; burning: number }) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  if (!live.isFresh) return '—'
  if (live.isOnline) return t('devices.onCount', { count: burning })
  return live.onlineChangedAt === null ? '—' : t('devices.since', { time: clockTime(intl, live.onlineChangedAt, now) })
}
