import type { RoomRecord } from '@batti/contracts'
import { Pencil, Trash2 } from 'lucide-react'
import { cardClass } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Name } from '#web/ui/name.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { RoomTally } from '#web/features/rooms/room-tally.ts'
import { RoomOnCount } from './room-on-count.tsx'
import { RoomPicture } from './room-picture.tsx'

export interface RoomCardProps {
  room: RoomRecord
  /** Live numbers; without them the room's own of the last answer. */
  tally: RoomTally | undefined
  onOpen: () => void
  onEdit: () => void
  onDelete: () => void
}

/** A room: how many boards it has, how many are online, how many lamps burn. The whole card opens its boards. */
export function RoomCard({ room, tally, onOpen, onEdit, onDelete }: RoomCardProps) {
  const t = useText()
  const devices = tally?.devices ?? room.deviceCount
  const online = tally?.isKnown === true ? tally.online : room.onlineCount
  return (
    <article className={cn(cardClass(tally?.isKnown === true && tally.on > 0), 'relative flex items-center gap-4 p-4')}>
      <span className="grid size-14 shrink-0 place-items-center rounded-2xl bg-well text-[1.75rem]">
        <RoomPicture roomName={room.roomName} />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">
          <button
            type="button"
            onClick={onOpen}
            className="text-left outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent"
          >
            <Name>{room.roomName}</Name>
          </button>
        </h2>
        <p className="text-14 text-ink-2">{t('rooms.stats', { devices, online })}</p>
        {devices > 0 && <RoomOnCount tally={tally} />}
      </div>
      <div className="relative z-10 -mr-1.5 flex shrink-0">
        <IconButton
          label={t('rooms.editNamed', { name: room.roomName })}
          icon={<Pencil size={18} />}
          onClick={onEdit}
        />
        <IconButton
          label={t('rooms.deleteNamed', { name: room.roomName })}
          icon={<Trash2 size={18} />}
          onClick={onDelete}
        />
      </div>
    </article>
  )
}
