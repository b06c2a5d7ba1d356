import type { DeviceRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { TimeAgo } from '../../../components/ui/time-ago.tsx'
import { useText } from '../../../lib/i18n/use-text.ts'

/** What a board says of itself; nobody types this. */
export function DeviceFacts({ device }: { device: DeviceRecord }) {
  const t = useText()
  const intl = useIntl()
  const code = (text: string) => <span className="font-mono text-14">{text}</span>
  const facts: [term: string, value: ReactNode][] = [
    [t('details.device'), device.deviceName],
    [t('details.mac'), code(device.deviceMac)],
    [t('details.code'), code(device.deviceCode)],
    [t('details.model'), code(device.hwModel)],
    [t('details.outlets'), intl.formatNumber(device.switch.length)],
    [t('details.firmware'), device.osVersion === '' ? null : device.osVersion],
    [
      t('details.signal'),
      device.wifiRSSI === null ? null : t('details.signalValue', { rssi: intl.formatNumber(device.wifiRSSI) })
    ],
    [t('details.address'), device.localIp === '' ? null : code(device.localIp)],
    [t('details.zone'), device.timezone],
    [t('details.seen'), device.lastSeen === null ? null : <TimeAgo at={device.lastSeen} />],
    [t('details.owner'), device.userId?.name ?? null]
  ]
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt className="text-12 text-ink-3">{term}</dt>
          <dd className="break-words">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
