import type { DeviceRecord } from '@batti/contracts'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { SwitchRow, type SwitchRowProps } from './switch-row.tsx'

export interface BoardRowsProps extends Pick<SwitchRowProps, 'device' | 'onAddSchedule'> {
  device: DeviceRecord
  /** Returns the name given to the outlet, if known. */
  nameOf: (index: number) => string | undefined
  /** Returns since when the outlet has been on, in ms, if known. */
  onSinceOf?: ((index: number) => number | undefined) | undefined
}

/** A board's switches, one row each, updated live. */
export function BoardRows({ device, nameOf, onSinceOf, onAddSchedule }: BoardRowsProps) {
  const { outlets } = useLiveDevice(device)
  return (
    <ul>
      {outlets.map((view) => (
        <SwitchRow
          key={view.index}
          device={device}
          view={view}
          givenName={nameOf(view.index)}
          onSince={onSinceOf?.(view.index)}
          onAddSchedule={onAddSchedule}
        />
      ))}
    </ul>
  )
}
