import type { DeviceRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { cn } from '#web/lib/cn.ts'
import { signalStrength } from '#web/lib/i18n/signal-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** Read-only properties that a board reports. */
export function DeviceFacts({ device }: { device: DeviceRecord }) {
  const t = useText()
  const intl = useIntl()
  const { wifiRSSI, lastSeen } = device
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact term={t('details.device')} value={device.deviceName} />
      <Fact term={t('details.mac')} value={device.deviceMac} isCode />
      <Fact term={t('details.code')} value={device.deviceCode} isCode />
      <Fact term={t('details.model')} value={device.hwModel} isCode />
      <Fact term={t('details.outlets')} value={intl.formatNumber(device.switch.length)} />
      <Fact term={t('details.firmware')} value={device.osVersion} />
      <Fact term={t('details.signal')} value={wifiRSSI === null ? '' : signalStrength(intl, wifiRSSI)} />
      <Fact term={t('details.address')} value={device.localIp} isCode />
      <Fact term={t('details.zone')} value={device.timezone} />
      <Fact term={t('details.seen')} value={lastSeen === null ? '' : <TimeAgo at={lastSeen} />} />
      <Fact term={t('details.owner')} value={device.userId?.name ?? ''} />
    </dl>
  )
}

/** `''`: not reported. */
function Fact({ term, value, isCode = false }: { term: string; value: ReactNode; isCode?: boolean }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{term}</dt>
      <dd className={cn('break-words', isCode && 'font-mono text-14')}>{value === '' ? '–' : value}</dd>
    </div>
  )
}
