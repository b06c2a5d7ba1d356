import type { DeviceRecord, RoomRecord, SwitchRecord } from '@batti/contracts'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'
import { RoomCard, type RoomCardProps } from '#web/features/rooms/components/room-card.tsx'
import type { RoomTally } from '#web/features/rooms/room-tally.ts'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { LampRow } from '#web/features/switches/components/lamp-row.tsx'
import { withSharedName } from '#web/features/switches/switch-name.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { RoomAction } from './room-action.tsx'

export interface RoomLampsProps {
  rooms: readonly RoomRecord[]
  devices: readonly DeviceRecord[]
  tallies: ReadonlyMap<string, RoomTally>
  onOpen: (room: RoomRecord) => void
  /** Returns further actions on a room, if the page has any. */
  actionsOf?: (room: RoomRecord) => Pick<RoomCardProps, 'onEdit' | 'onDelete'>
  heading?: 'h2' | 'h3'
}

/** The rooms as cards with their lamps. */
export function RoomLamps({ rooms, devices, tallies, onOpen, actionsOf, heading }: RoomLampsProps) {
  const t = useText()
  const switches = useSwitches()
  const since = useOnSince()
  const lampsOf = (room: RoomRecord): readonly SwitchRecord[] =>
    switches.data?.filter(({ roomId }) => roomId?._id === room._id) ?? []
  const countOutlets = (room: RoomRecord): number =>
    devices.reduce((sum, { setRoom, switch: outlets }) => sum + (setRoom?._id === room._id ? outlets.length : 0), 0)
  const cards = (
    <ul className="grid grid-cols-1 items-start gap-3 sm:gap-4 md:grid-cols-2 min-[90rem]:grid-cols-3">
      {rooms.map((room) => {
        const tally = tallies.get(room._id)
        const lamps = lampsOf(room)
        const ambiguous = withSharedName(t, lamps)
        return (
          <li key={room._id} className="grid grid-cols-1">
            <RoomCard
              room={room}
              tally={tally}
              heading={heading}
              onOpen={() => onOpen(room)}
              {...actionsOf?.(room)}
              action={<RoomAction room={room} devices={devices} tally={tally} lamp={lamps[0]} />}
            >
              {lamps.map((record) => (
                <li key={record._id}>
                  <LampRow record={record} onSince={since?.get(record._id)} hasBoard={ambiguous.has(record)} />
                </li>
              ))}
              {switches.isPending &&
                Array.from({ length: countOutlets(room) }, (_, outlet) => (
                  <li key={outlet} className="py-0.5">
                    <Skeleton className="h-11" />
                  </li>
                ))}
            </RoomCard>
          </li>
        )
      })}
    </ul>
  )
  return (
    <>
      {/* The rooms themselves are there: only that their lamps did not come is said. */}
      <QueryView isPart query={switches} failed={t('switches.failed')} loading={null}>
        {() => null}
      </QueryView>
      {cards}
    </>
  )
}
