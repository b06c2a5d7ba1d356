import type { DeviceRecord } from '@batti/contracts'
import { useEffect } from 'react'
import { useDevice } from '#web/features/devices/api/get-device.ts'
import { LivePresenceBadge } from '#web/features/devices/components/live-presence-badge.tsx'
import { UpdateDialog } from '#web/features/firmware-update/components/update-dialog.tsx'
import { SwitchControlDialog } from '#web/features/switches/components/switch-control-dialog.tsx'
import { givenNames } from '#web/features/switches/switch-name.ts'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useTexts } from '#web/lib/i18n/use-texts.ts'
import { notify } from '#web/lib/notify.ts'
import { useBoardSwitches } from '#web/lib/records/use-board-switches.ts'

const textsOf = { toggle: ['devices', 'switches'], update: ['devices', 'firmware'] } as const

export interface BoardDialogProps {
  kind: 'toggle' | 'update'
  deviceId: string
  onClose: () => void
}

/** A board's switches, or its firmware update, over any staff page. */
export function BoardDialog({ kind, deviceId, onClose }: BoardDialogProps) {
  const t = useText()
  const [first, second] = textsOf[kind]
  const areThere = [useTexts(first), useTexts(second)].every(Boolean)
  const { data, error } = useDevice(deviceId)
  useEffect(() => {
    if (error === null) return
    notify.error(errorMessage(error, t('shell.commandFailed')) ?? '', 'board-dialog')
    onClose()
  }, [error, onClose, t])
  if (data === undefined || !areThere) return null
  return kind === 'toggle' ? (
    <ToggleDialog device={data} onClose={onClose} />
  ) : (
    <UpdateDialog device={data} onClose={onClose} />
  )
}

export function ToggleDialog({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const switches = useBoardSwitches(device._id)
  return (
    <SwitchControlDialog
      device={device}
      names={givenNames(Object.values(switches))}
      presence={<LivePresenceBadge device={device} />}
      onClose={onClose}
    />
  )
}
