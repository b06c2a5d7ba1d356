import type { DeviceRecord, RoomRecord, SwitchRecord } from '@batti/contracts'
import { useOnTimes } from '#web/features/on-times/api/list-on-times.ts'
import { onSince } from '#web/features/on-times/on-since.ts'
import { RoomCard, type RoomCardProps } from '#web/features/rooms/components/room-card.tsx'
import { isSilentRoom, type RoomTally } from '#web/features/rooms/room-tally.ts'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { AllOffButton } from '#web/features/switches/components/all-off-button.tsx'
import { LampRow } from '#web/features/switches/components/lamp-row.tsx'
import { RoomHelpButton } from '#web/features/switches/components/room-help-button.tsx'
import { switchTitle } from '#web/features/switches/switch-name.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

export interface RoomLampsProps {
  rooms: readonly RoomRecord[]
  devices: readonly DeviceRecord[]
  tallies: ReadonlyMap<string, RoomTally>
  onOpen: (room: RoomRecord) => void
  /** What else can be done with a room, where that is the page's matter. */
  actionsOf?: (room: RoomRecord) => Pick<RoomCardProps, 'onEdit' | 'onDelete'>
  heading?: 'h2' | 'h3'
}

/** The rooms as cards that hold their lamps. */
export function RoomLamps({ rooms, devices, tallies, onOpen, actionsOf, heading }: RoomLampsProps) {
  const t = useText()
  const switches = useSwitches()
  const onTimes = useOnTimes()
  const since = onTimes.data === undefined ? null : onSince(onTimes.data, onTimes.dataUpdatedAt)
  const lampsOf = (room: RoomRecord): readonly SwitchRecord[] =>
    switches.data?.filter(({ roomId }) => roomId?._id === room._id) ?? []
  return (
    <ul className="grid grid-cols-1 items-start gap-3 sm:gap-4 md:grid-cols-2 min-[90rem]:grid-cols-3">
      {rooms.map((room) => {
        const tally = tallies.get(room._id)
        const own = devices.filter(({ setRoom }) => setRoom?._id === room._id)
        const lamps = lampsOf(room)
        const first = lamps[0]
        const names = lamps.map((record) => switchTitle(t, record))
        return (
          <li key={room._id} className="grid grid-cols-1">
            <RoomCard
              room={room}
              tally={tally}
              heading={heading}
              onOpen={() => onOpen(room)}
              {...actionsOf?.(room)}
              action={
                first !== undefined && isSilentRoom(tally) ? (
                  <RoomHelpButton room={room.roomName} record={first} isOneBoard={own.length === 1} />
                ) : (
                  <AllOffButton devices={own} room={room.roomName} isLit={tally?.isKnown === true && tally.on > 0} />
                )
              }
            >
              {lamps.map((record, place) => (
                <li key={record._id}>
                  <LampRow
                    record={record}
                    onSince={since?.get(record._id)}
                    hasBoard={names.filter((name) => name === names[place]).length > 1}
                  />
                </li>
              ))}
            </RoomCard>
          </li>
        )
      })}
    </ul>
  )
}
