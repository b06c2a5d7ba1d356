import type { DeviceRecord } from '@batti/contracts'
import { useEffect } from 'react'
import { useDevice } from '#web/features/devices/api/get-device.ts'
import { LivePresenceBadge } from '#web/features/devices/components/live-presence-badge.tsx'
import { SwitchControlDialog } from '#web/features/switches/components/switch-control-dialog.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useTexts } from '#web/lib/i18n/use-texts.ts'
import { notify } from '#web/lib/notify.ts'
import { useBoardNames } from '#web/lib/use-board-names.ts'

/** A board's switches over any page of staff. */
export function ToggleBoard({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const t = useText()
  const areThere = [useTexts('devices'), useTexts('switches')].every(Boolean)
  const { data, error } = useDevice(deviceId)
  useEffect(() => {
    if (error === null) return
    notify.error(errorMessage(error, t('shell.commandFailed')) ?? '', 'toggle-board')
    onClose()
  }, [error, onClose, t])
  return data === undefined || !areThere ? null : <ToggleDialog device={data} onClose={onClose} />
}

export function ToggleDialog({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  return (
    <SwitchControlDialog
      isOpen
      device={device}
      names={useBoardNames(device._id)}
      presence={<LivePresenceBadge device={device} />}
      onClose={onClose}
    />
  )
}
