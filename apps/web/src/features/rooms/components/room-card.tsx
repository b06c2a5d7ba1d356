import type { RoomRecord } from '@batti/contracts'
import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { cardClass } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Name } from '#web/ui/name.tsx'
import { cn } from '#web/lib/cn.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isUnknownRoom, type RoomTally } from '#web/features/rooms/room-tally.ts'
import { RoomOnCount } from './room-on-count.tsx'
import { RoomPicture } from './room-picture.tsx'

export interface RoomCardProps {
  room: RoomRecord
  /** Live numbers; without them the room's own from the last answer. Boards are only counted as online while that is known. */
  tally: RoomTally | undefined
  onOpen: () => void
  onEdit?: () => void
  onDelete?: () => void
  /** An action on all its lamps. */
  action?: ReactNode
  /** Its lamps, as list items. */
  children?: ReactNode
  heading?: 'h2' | 'h3' | undefined
}

/** A room with its lamps; the lamps look lit, the card does not. Its header opens its boards. */
export function RoomCard({
  room,
  tally,
  onOpen,
  onEdit,
  onDelete,
  action,
  children,
  heading: Heading = 'h2'
}: RoomCardProps) {
  const t = useText()
  const devices = tally?.devices ?? room.deviceCount
  const online = tally === undefined ? room.onlineCount : tally.isKnown ? tally.online : null
  return (
    <article className={cn(cardClass(false, isUnknownRoom(tally)), 'grid grid-cols-1 gap-2 p-4')}>
      <div className="relative flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="grid size-11 shrink-0 place-items-center rounded-2xl bg-well text-[1.5rem]">
          <RoomPicture roomName={room.roomName} />
        </span>
        <div className="min-w-0 flex-1 basis-[5.5rem]">
          <Heading className="font-semibold">
            <button
              type="button"
              onClick={onOpen}
              className="text-left outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent"
            >
              <Name>{room.roomName}</Name>
            </button>
          </Heading>
        </div>
        <div className="relative z-10 -mr-1.5 ml-auto flex flex-wrap justify-end">
          {action}
          {onEdit !== undefined && (
            <IconButton
              label={t('rooms.editNamed', { name: room.roomName })}
              icon={<Pencil size={18} />}
              onClick={onEdit}
            />
          )}
          {onDelete !== undefined && (
            <IconButton
              label={t('rooms.deleteNamed', { name: room.roomName })}
              icon={<Trash2 size={18} />}
              onClick={onDelete}
            />
          )}
        </div>
        {/* Below the name and as wide as the card, as the buttons leave no room beside them. */}
        <p className="-mt-1 flex basis-full flex-wrap gap-x-3 pl-14 text-14 max-[22.5rem]:pl-0 text-ink-2">
          {dotted(
            t('rooms.deviceCount', { count: devices }),
            online === null ? '' : t('rooms.onlineCount', { count: online })
          )}
          {devices > 0 && <RoomOnCount tally={tally} />}
        </p>
      </div>
      {devices > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-x-3 sm:grid-cols-2">
          {children}
        </ul>
      )}
    </article>
  )
}
