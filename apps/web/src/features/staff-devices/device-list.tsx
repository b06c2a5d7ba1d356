import { listDevices, type DeviceRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { cutText } from '#web/ui/data-table/cut-text.ts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { Badge } from '#web/ui/badge.tsx'
import { HealthWords } from '#web/ui/health-words.tsx'
import { SignalBars } from '#web/ui/charts/signal-bars.tsx'
import { T } from '#web/ui/text.tsx'
import { signalStrength } from '#web/lib/i18n/signal-words.ts'
import { clockTime, exactTime } from '#web/lib/i18n/time-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useList } from '#web/lib/lists/use-list.ts'
import { usePresenceWord } from '#web/lib/live/use-presence-word.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'

const filters = ['status', 'health', 'hwModel', 'osVersion', 'userId', 'roomId', 'label'] as const

/** Queries the boards of all accounts. */
export const useStaffDeviceList = () =>
  useList({
    name: 'devices',
    route: listDevices,
    rows: ({ devices }) => devices,
    pageSize: 100,
    queryKey: queryKeys.devices,
    filters
  })

export const deviceColumns: readonly Column<DeviceRecord>[] = [
  {
    id: 'setName',
    label: 'staffDevices.device',
    value: deviceTitle,
    cell: (device) => (
      <Badge
        tone={device.isOnline ? 'ok' : 'muted'}
        frame="none"
        hasDot
        className="max-w-full text-14 font-medium text-ink"
      >
        <span className={cutText}>{deviceTitle(device)}</span>
      </Badge>
    ),
    more: ({ deviceName }) => deviceName,
    words: ({ setName, deviceName }) => `${setName} · ${deviceName}`,
    width: 150
  },
  {
    id: 'owner',
    label: 'staffDevices.owner',
    value: ({ userId }) => userId?.name ?? null,
    more: ({ userId }) => userId?.phone,
    width: 108,
    card: { line: 2 }
  },
  {
    id: 'phone',
    label: 'staffDevices.phone',
    value: ({ userId }) => userId?.phone ?? null,
    width: 146,
    isSpare: true,
    card: { line: 2, isEnd: true }
  },
  { id: 'email', label: 'staffDevices.email', value: ({ userId }) => userId?.email ?? null, width: 190, isExtra: true },
  { id: 'deviceMac', label: 'staffDevices.mac', width: 139, isCode: true, card: { line: 4 } },
  { id: 'deviceCode', label: 'staffDevices.code', width: 80, isExtra: true },
  { id: 'wifiSSID', label: 'staffDevices.wifi', width: 140, isExtra: true },
  {
    id: 'wifiRSSI',
    label: 'staffDevices.signal',
    cell: signalOf,
    words: ({ wifiRSSI }, _, intl) => (wifiRSSI === null ? '' : signalStrength(intl, wifiRSSI)),
    width: 102,
    card: { line: 3, cell: (device) => (device.isOnline ? signalOf(device) : <Offline device={device} />) }
  },
  {
    id: 'room',
    label: 'staffDevices.room',
    value: ({ setRoom }) => setRoom?.roomName ?? null,
    cell: ({ setRoom }) => setRoom?.roomName ?? <NoRoom />,
    words: ({ setRoom }, t) => setRoom?.roomName ?? t('devices.noRoom'),
    width: 108,
    isSpare: true
  },
  {
    id: 'isOnline',
    label: 'staffDevices.online',
    value: ({ isOnline }, t) => t(isOnline ? 'devices.online' : 'devices.offline'),
    cell: (device) => (device.isOnline ? <T id="devices.online" /> : <Offline device={device} isShort />),
    width: 66
  },
  {
    id: 'lastSeen',
    label: 'staffDevices.lastPing',
    isTime: true,
    cell: ({ lastSeen }) => (lastSeen === null ? <T id="staffDevices.neverSeen" /> : null),
    words: ({ lastSeen }, t, intl) =>
      lastSeen === null ? t('staffDevices.neverSeen') : exactTime(intl, Date.parse(lastSeen)),
    width: 119
  },
  {
    id: 'createdAt',
    label: 'table.created',
    isTime: true,
    width: 120,
    isExtra: true
  },
  { id: 'osVersion', label: 'staffDevices.firmware', width: 78, card: { line: 3, isEnd: true } },
  {
    id: 'health',
    label: 'health.title',
    value: ({ health }) => health.score,
    cell: ({ health }) => <HealthWords health={health} />,
    words: ({ health: { score, reasons } }, t) =>
      [score, ...reasons.map((reason) => t(`health.${reason}`))].join(' · '),
    width: 160,
    card: { line: 4, isEnd: true }
  }
]

function signalOf({ wifiRSSI }: DeviceRecord) {
  return wifiRSSI === null ? null : <SignalBars rssi={wifiRSSI} />
}

/** Offline with the time, or restarting for an update. `isShort`: without the time. */
function Offline({ device, isShort = false }: { device: DeviceRecord; isShort?: boolean }) {
  const t = useText()
  const intl = useIntl()
  const now = useServerNow()
  const id = usePresenceWord(device)
  const since = device.onlineChangedAt
  if (id !== 'devices.offline' || isShort || since === null) return <span title={t(id)}>{t(id)}</span>
  return t('devices.offlineSince', { time: clockTime(intl, Date.parse(since), now) })
}

function NoRoom() {
  const words = useText()('devices.noRoom')
  return <span title={words}>{words}</span>
}
