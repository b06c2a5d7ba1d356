import type { RoomRecord } from '@batti/contracts'
import { Link } from 'react-router-dom'
import { cardClass } from '#web/ui/card.tsx'
import { ScrollRow } from '#web/ui/scroll-row.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isUnknownRoom, type RoomTally } from '#web/features/rooms/room-tally.ts'
import { RoomOnCount } from './room-on-count.tsx'
import { RoomPicture } from './room-picture.tsx'

/** The rooms in a row that scrolls sideways; each shows how many of its lamps are on, and opens its boards. */
export function RoomChips({
  rooms,
  tallies,
  label
}: {
  rooms: readonly RoomRecord[]
  tallies: ReadonlyMap<string, RoomTally>
  label: string
}) {
  const t = useText()
  return (
    <ScrollRow aria-label={label} className="-mx-4 scroll-px-4 gap-3 px-4 sm:-mx-6 sm:scroll-px-6 sm:px-6">
      {rooms.map((room) => {
        const tally = tallies.get(room._id)
        return (
          <li key={room._id} className="grid shrink-0 snap-start">
            <Link
              to={`/user/rooms?room=${room._id}`}
              className={cn(
                cardClass(false, isUnknownRoom(tally)),
                'flex max-w-60 min-w-36 items-center gap-3 px-3 py-2 pr-4 leading-tight'
              )}
            >
              <RoomPicture roomName={room.roomName} className="shrink-0 text-[1.5rem]" />
              <span className="grid min-w-0">
                <span className="truncate font-semibold" title={room.roomName}>
                  {room.roomName}
                </span>
                {tally?.devices === 0 ? (
                  <span className="text-14 text-ink-3">{t('rooms.noDevices')}</span>
                ) : (
                  <RoomOnCount tally={tally} />
                )}
              </span>
            </Link>
          </li>
        )
      })}
    </ScrollRow>
  )
}
