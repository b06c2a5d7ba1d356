import type { DeviceRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { ColourDot } from '#web/ui/colour-dot.tsx'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/dialog-sheet.tsx'
import { SignalBars } from '#web/ui/signal-bars.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { deviceTitle } from '#web/lib/device-title.ts'

/** What is known of a board. */
export function StaffDeviceViewDialog({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const owner = device.userId
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      width="wide"
      title={deviceTitle(device)}
      description={t(device.isOnline ? 'devices.online' : 'devices.offline')}
    >
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('staffDevices.mac'), value: device.deviceMac, isCode: true },
          { label: t('staffDevices.device'), value: `${device.deviceName} · ${device.deviceCode}` },
          { label: t('staffDevices.model'), value: device.hwModel, isCode: true },
          { label: t('staffDevices.owner'), value: owner?.name },
          { label: t('staffDevices.phone'), value: owner?.phone },
          { label: t('staffDevices.email'), value: owner?.email },
          { label: t('staffDevices.room'), value: device.setRoom?.roomName ?? t('devices.noRoom') },
          { label: t('staffDevices.outlets'), value: intl.formatNumber(device.switch.length) },
          { label: t('staffDevices.wifi'), value: device.wifiSSID },
          {
            label: t('staffDevices.signal'),
            value: device.wifiRSSI === null ? null : <SignalBars rssi={device.wifiRSSI} />
          },
          { label: t('staffDevices.firmware'), value: device.osVersion },
          {
            label: t('staffDevices.colour'),
            value: (
              <span className="inline-flex items-center gap-2">
                <ColourDot colour={device.activeColor} /> {device.activeColor}
              </span>
            )
          },
          { label: t('staffDevices.zone'), value: device.timezone },
          { label: t('staffDevices.localAddress'), value: device.localIp, isCode: true },
          {
            label: t('staffDevices.lastPing'),
            value: device.lastSeen === null ? t('staffDevices.neverSeen') : <TimeAgo at={device.lastSeen} />
          },
          { label: t('table.created'), value: <TimeAgo at={device.createdAt} /> }
        ]}
      />
    </DialogSheet>
  )
}
