import type { RoomRecord } from '@batti/contracts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Select, type SelectProps } from './select.tsx'

/** Base UI's list has no empty value. */
const none = 'none'

export interface RoomSelectProps extends Pick<SelectProps<string>, 'label' | 'aside' | 'hint' | 'error'> {
  rooms: readonly Pick<RoomRecord, '_id' | 'roomName'>[]
  /** '' for no room. */
  value: string
  onChange: (roomId: string) => void
}

/** Selects the room of a board, or none. */
export function RoomSelect({ rooms, value, onChange, ...field }: RoomSelectProps) {
  const t = useText()
  return (
    <Select
      {...field}
      value={value === '' ? none : value}
      choices={[
        { value: none, label: t('devices.noRoom') },
        ...rooms.map(({ _id, roomName }) => ({ value: _id, label: roomName }))
      ]}
      onChange={(room) => onChange(room === none ? '' : room)}
    />
  )
}
