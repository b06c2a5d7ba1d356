import type { DeviceRecord, SwitchRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { DialogSheet } from '../../../components/ui/dialog-sheet.tsx'
import { useText } from '../../../lib/i18n/use-text.ts'
import { useLiveDevice } from '../../../lib/live/use-live-device.ts'
import { deviceTitle } from '../../../lib/outlets.ts'
import { useServices } from '../../../lib/services.ts'
import { CauseLine } from './cause-line.tsx'
import { SwitchRow } from './switch-row.tsx'

export interface SwitchControlDialogProps {
  device: DeviceRecord
  isOpen: boolean
  onClose: () => void
  /** Under the title: whether the board is online, since when. */
  presence: ReactNode
  /** Names that people gave, by outlet index. */
  names: Readonly<Record<number, string>>
  onAddSchedule?: (record: SwitchRecord) => void
}

/** A board's switches: All ON, All OFF, one row each; live, with the newest change and its cause. */
export function SwitchControlDialog({
  device,
  isOpen,
  onClose,
  presence,
  names,
  onAddSchedule
}: SwitchControlDialogProps) {
  const t = useText()
  const { commander } = useServices()
  const { live, outlets } = useLiveDevice(device)
  const isLocked = outlets.some((view) => view.isLocked)
  const nameOf = (index: number) => names[index] ?? t('switch.name', { number: index + 1 })
  const toggleAll = (on: boolean) => commander.toggleAll(device.deviceMac, outlets.length, on)
  return (
    <DialogSheet
      isOpen={isOpen}
      onClose={onClose}
      title={deviceTitle(device)}
      description={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {presence}
          <span className="font-mono text-12 text-ink-3">{device.deviceMac}</span>
        </span>
      }
    >
      {live.isFresh && !live.isOnline && (
        <p className="mb-3 rounded-control border border-dashed border-edge/60 px-3.5 py-2.5 text-14 text-ink-2">
          {t('devices.offlineHelp')}
        </p>
      )}
      <div className="mb-2 grid grid-cols-2 gap-2.5">
        <Button disabled={isLocked} onClick={() => toggleAll(true)}>
          {t('switch.allOn')}
        </Button>
        <Button variant="quiet" disabled={isLocked} onClick={() => toggleAll(false)}>
          {t('switch.allOff')}
        </Button>
      </div>
      <ul>
        {outlets.map((view) => (
          <SwitchRow
            key={view.index}
            device={device}
            view={view}
            givenName={names[view.index]}
            onAddSchedule={onAddSchedule}
          />
        ))}
      </ul>
      <CauseLine live={live} nameOf={nameOf} />
    </DialogSheet>
  )
}
