import type { SwitchRecord } from '@batti/contracts'
import { Plug, RotateCw, Wifi } from 'lucide-react'
import { useEffect } from 'react'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { isRestarting } from '#web/lib/live/is-restarting.ts'
import { useLiveState } from '#web/lib/live/use-live-device.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'

const steps = [
  { icon: Plug, text: 'switch.offlinePower' },
  { icon: Wifi, text: 'switch.offlineWifi' },
  { icon: RotateCw, text: 'switch.offlineWait' }
] as const

export interface OfflineHelpProps {
  record: SwitchRecord
  /** What is offline, if it is more than the switch's board. */
  device?: string
  since: string
  isOpen: boolean
  onClose: () => void
}

/** What to do about an offline board, the most likely cause first; nothing while it restarts for an update. Closes when it is back. */
export function OfflineHelpDialog({ record, device, since, isOpen, onClose }: OfflineHelpProps) {
  const t = useText()
  const { deviceMac } = record
  const live = useLiveState(deviceMac)
  const update = useDeviceUpdate(deviceMac, live?.firmware)
  const now = useServerNow()
  const isBack = device === undefined && live?.isFresh === true && live.isOnline
  useEffect(() => {
    if (isOpen && isBack) onClose()
  }, [isOpen, isBack, onClose])
  const isAway = device === undefined && live !== undefined && isRestarting(update, live, now)
  return (
    <DialogSheet
      isOpen={isOpen}
      onClose={onClose}
      title={t(isAway ? 'switch.restartingTitle' : 'switch.offlineTitle', { device: device ?? record.deviceName })}
      description={since}
      footer={
        <>
          <LinkButton variant="quiet" to={`/user/logs?switch=${record._id}`}>
            {t('switch.offlineLog')}
          </LinkButton>
          <LinkButton to="/user/devices">{t('switch.offlineDevices')}</LinkButton>
        </>
      }
    >
      {isAway && <p className="py-2">{t('devices.updateLocked')}</p>}
      {!isAway && (
        <ol className="grid gap-1">
          {steps.map(({ icon: Icon, text }) => (
            <li key={text} className="flex items-center gap-3 py-2">
              <span className="grid size-10 shrink-0 place-items-center rounded-full bg-well text-ink-2">
                <Icon aria-hidden="true" size={18} />
              </span>
              {t(text)}
            </li>
          ))}
        </ol>
      )}
    </DialogSheet>
  )
}
