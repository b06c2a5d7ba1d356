import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { RoomTally } from '#web/features/rooms/room-tally.ts'

/** "2 on" beside a lit dot, "All off", or nothing known. */
export function RoomOnCount({ tally }: { tally: RoomTally | undefined }) {
  const t = useText()
  const isKnown = tally?.isKnown === true
  const on = isKnown ? tally.on : 0
  return (
    <span className="flex items-center gap-1.5 text-14 text-ink-2">
      {on > 0 && <span aria-hidden="true" className="size-2 rounded-full bg-on ring-1 ring-on-edge" />}
      <span className={cn(on > 0 && 'font-medium text-ink')}>
        {isKnown ? t('rooms.onCount', { count: on }) : t('rooms.unknown')}
      </span>
    </span>
  )
}
