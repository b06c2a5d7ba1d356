import type { SwitchRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { useDevices } from '#web/features/devices/api/list-devices.ts'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'
import { RoomOnCount } from '#web/features/rooms/components/room-on-count.tsx'
import { tallyRooms } from '#web/features/rooms/room-tally.ts'
import { LampRow } from '#web/features/switches/components/lamp-row.tsx'
import { SwitchOptions } from '#web/features/switches/components/switch-options.tsx'
import { withSharedName, switchTitle } from '#web/features/switches/switch-name.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { Name } from '#web/ui/name.tsx'
import { RoomAction } from './room-action.tsx'

export interface SwitchRowsProps {
  /** By room id, '' for switches without a room. */
  rooms: readonly [id: string, switches: readonly SwitchRecord[]][]
  /** Each room shows all its switches, so that All OFF concerns exactly those. */
  isWhole: boolean
  onAddSchedule: (record: SwitchRecord) => void
}

/** The switches of a large home on a phone: rows below the sticky headings of their rooms. */
export function SwitchRows({ rooms, isWhole, onAddSchedule }: SwitchRowsProps) {
  const t = useText()
  const intl = useIntl()
  const devices = useDevices().data?.devices ?? []
  const lives = useLiveStates(devices.map(({ deviceMac }) => deviceMac))
  const tallies = tallyRooms(
    rooms.map(([_id]) => ({ _id })),
    devices,
    lives
  )
  const since = useOnSince()
  return (
    <div className="grid grid-cols-1 gap-4">
      {rooms.map(([id, own]) => {
        const room = own[0]?.roomId
        const title = room?.roomName ?? t('switch.unknownRoom')
        const ambiguous = withSharedName(t, own)
        return (
          <section key={id} aria-label={title}>
            <div
              data-room-head
              className="sticky top-0 z-10 -mx-4 flex min-h-12 items-center gap-2.5 bg-page px-4 low:static"
            >
              <h2 className="min-w-0 text-16 font-semibold">
                <Name>{title}</Name>
              </h2>
              {room ? (
                <RoomOnCount tally={tallies.get(id)} />
              ) : (
                <span className="text-14 text-ink-2">{intl.formatNumber(own.length)}</span>
              )}
              {room && isWhole && (
                <span className="ml-auto shrink-0">
                  <RoomAction room={room} devices={devices} tally={tallies.get(id)} lamp={own[0]} />
                </span>
              )}
            </div>
            <ul>
              {own.map((record) => (
                <li key={record._id} className="flex items-center gap-1 border-t border-line py-0.5">
                  <LampRow hasTrack record={record} onSince={since?.get(record._id)} hasBoard={ambiguous.has(record)} />
                  <SwitchOptions
                    deviceId={record.deviceId}
                    index={record.switchIndex}
                    name={switchTitle(t, record)}
                    onAddSchedule={onAddSchedule}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
