import type { DeviceRecord } from '@batti/contracts'
import { HealthWords } from '#web/ui/health-words.tsx'
import { LinesPart } from '#web/ui/lines-part.tsx'
import { SignalBars } from '#web/ui/charts/signal-bars.tsx'
import { cn } from '#web/lib/cn.ts'
import { usePresenceWord } from '#web/lib/live/use-presence-word.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { few, useBoardsOf } from '#web/features/user-page/user-queries.ts'

export interface PartOfUser {
  userId: string
  /** Returns a path below the person's own prefix, or null if they have no such page. */
  pathOf: (page: string) => string | null
}

/** The first boards of an account, worst health first. */
export function UserBoards({ userId, pathOf }: PartOfUser) {
  const t = useText()
  const boards = useBoardsOf(userId)
  return (
    <LinesPart
      title={t('users.devices')}
      query={boards}
      totalOf={({ total }) => total}
      all={pathOf(`devices?userId=${userId}`)}
      failed={t('userPage.devicesFailed')}
      empty={t('userPage.noBoards')}
      linesOf={({ devices }) =>
        devices.slice(0, few).map((device) => ({
          id: device._id,
          sign: <Presence device={device} />,
          title: deviceTitle(device),
          more: dotted(device.setRoom?.roomName ?? t('userPage.noRoom'), device.osVersion, device.deviceMac),
          end: (
            <span className="flex flex-wrap justify-end gap-x-4 max-sm:flex-col">
              <HealthWords health={device.health} hasScore={false} />
              {device.isOnline && device.wifiRSSI !== null && <SignalBars rssi={device.wifiRSSI} />}
            </span>
          ),
          to: pathOf(`devices/${device._id}`) ?? pathOf(`devices?search=${encodeURIComponent(device.deviceMac)}`)
        }))
      }
    />
  )
}

function Presence({ device }: { device: DeviceRecord }) {
  const word = useText()(usePresenceWord(device))
  return (
    <span
      role="img"
      aria-label={word}
      className={cn('size-2 shrink-0 rounded-full', device.isOnline ? 'bg-ok' : 'border-[1.5px] border-ink-3')}
    />
  )
}
