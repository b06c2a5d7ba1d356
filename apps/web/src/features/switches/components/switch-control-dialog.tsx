import type { DeviceRecord, SwitchRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { BoardUpdate } from '#web/ui/board-update.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { isRestarting } from '#web/lib/live/is-restarting.ts'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { useMayControlSwitches } from '#web/lib/session/use-may-control-switches.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { BoardRows, type BoardRowsProps } from './board-rows.tsx'
import { BulkPanel } from './bulk-panel.tsx'
import { CauseLine } from './cause-line.tsx'

export interface SwitchControlDialogProps {
  device: DeviceRecord
  onClose: () => void
  /** Under the title: whether the board is online, since when. */
  presence: ReactNode
  /** Given names, by outlet index. */
  names: Readonly<Record<number, string>>
  onSinceOf?: BoardRowsProps['onSinceOf']
  onAddSchedule?: (record: SwitchRecord) => void
}

/** A board's switches: All ON, All OFF and one row each, live, with the newest change and its cause. */
export function SwitchControlDialog({
  device,
  onClose,
  presence,
  names,
  onSinceOf,
  onAddSchedule
}: SwitchControlDialogProps) {
  const t = useText()
  const { live } = useLiveDevice(device)
  const update = useDeviceUpdate(device.deviceMac, device.firmware)
  const now = useServerNow()
  const mayControl = useMayControlSwitches()
  const nameOf = (index: number) => switchWords(t, names[index] ?? `Switch ${index + 1}`)
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={deviceTitle(device)}
      description={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {presence}
          <span className="font-mono text-12 text-ink-3">{device.deviceMac}</span>
        </span>
      }
    >
      <BoardUpdate
        update={update}
        live={live}
        hasReason
        className="mb-3 rounded-control border border-line bg-well/50 px-3.5 py-2.5"
      />
      {live.isFresh && !live.isOnline && !isRestarting(update, live, now) && (
        <p className="mb-3 rounded-control border border-dashed border-edge/60 px-3.5 py-2.5 text-14 text-ink-2">
          {t('devices.offlineHelp')}
        </p>
      )}
      {mayControl && <BulkPanel devices={[device]} nameOf={(_, index) => nameOf(index)} />}
      <BoardRows device={device} nameOf={(index) => names[index]} onSinceOf={onSinceOf} onAddSchedule={onAddSchedule} />
      <CauseLine live={live} nameOf={nameOf} />
    </DialogSheet>
  )
}
