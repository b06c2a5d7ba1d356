import type { DeviceRecord, Role } from '@batti/contracts'
import { CircleArrowUp } from 'lucide-react'
import { Link } from 'react-router-dom'
import { ColourDot } from '#web/ui/fields/colour-dot.tsx'
import { colourWords } from '#web/ui/fields/colour-field.tsx'
import { DetailFacts, type Fact } from '#web/ui/detail-facts.tsx'
import { Section } from '#web/ui/page.tsx'
import { SignalBars } from '#web/ui/charts/signal-bars.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The properties and the owner of a board. */
export function BoardFacts({ device, role }: { device: DeviceRecord; role: Role }) {
  const t = useText()
  const { userId: owner, pinnedVersion, labels = [] } = device
  const pin = pinnedVersion ?? null
  const facts: Fact[] = [
    { label: t('staffDevices.firmware'), value: <Version device={device} /> },
    ...(pin === null ? [] : [{ label: t('board.pinnedTo'), value: <Pinned pin={pin} /> }]),
    { label: t('staffDevices.model'), value: device.hwModel },
    { label: t('staffDevices.owner'), value: owner === null ? null : <OwnerLink owner={owner} role={role} /> },
    {
      label: t('staffDevices.phone'),
      value:
        typeof owner?.phone === 'string' ? (
          <a href={`tel:${owner.phone}`} className="underline underline-offset-4">
            {owner.phone}
          </a>
        ) : null
    },
    { label: t('staffDevices.room'), value: device.setRoom?.roomName ?? t('devices.noRoom') },
    { label: t('staffDevices.wifi'), value: device.wifiSSID },
    {
      label: t('staffDevices.signal'),
      value: device.wifiRSSI === null ? null : <SignalBars rssi={device.wifiRSSI} />
    },
    { label: t('staffDevices.localAddress'), value: device.localIp },
    { label: t('staffDevices.code'), value: dotted(device.deviceName, device.deviceCode) },
    {
      label: t('staffDevices.colour'),
      value: (
        <span className="inline-flex items-center gap-2">
          <ColourDot colour={device.activeColor} /> {colourWords(t, device.activeColor)}
        </span>
      )
    },
    { label: t('staffDevices.zone'), value: device.timezone },
    ...(labels.length === 0 ? [] : [{ label: t('board.labels'), value: labels.join(', ') }]),
    {
      label: t('staffDevices.lastPing'),
      value: device.lastSeen === null ? t('staffDevices.neverSeen') : <TimeAgo at={device.lastSeen} />
    },
    { label: t('table.created'), value: <TimeAgo at={device.createdAt} /> }
  ]
  return (
    <Section title={t('board.facts')}>
      <DetailFacts facts={facts} />
    </Section>
  )
}

/** The board's version, with an arrow if a newer one is released for it. */
function Version({ device: { osVersion, health } }: { device: DeviceRecord }) {
  const t = useText()
  if (!health.reasons.includes('outdated')) return osVersion === '' ? '–' : osVersion
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {osVersion}
      <span className="inline-flex items-center gap-1 text-14 text-warn">
        <CircleArrowUp aria-hidden="true" size={14} />
        {t('board.newer')}
      </span>
    </span>
  )
}

function OwnerLink({ owner, role }: { owner: NonNullable<DeviceRecord['userId']>; role: Role }) {
  if (role !== 'admin') return owner.name
  return (
    <Link to={`/admin/users/${owner._id}`} className="text-accent underline underline-offset-4">
      {owner.name}
    </Link>
  )
}

function Pinned({ pin }: { pin: NonNullable<DeviceRecord['pinnedVersion']> }) {
  const t = useText()
  return (
    <>
      {pin.version}
      {pin.reason !== '' && ` · ${pin.reason}`}
      {pin.endsAt !== null && (
        <>
          {' · '}
          {t('board.pinUntil')} <TimeAgo at={pin.endsAt} isAhead />
        </>
      )}
    </>
  )
}
