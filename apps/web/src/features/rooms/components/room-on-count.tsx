import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isSilentRoom, type RoomTally } from '#web/features/rooms/room-tally.ts'

/** "2 on" with a lit dot, "All off", "3 unknown" for boards that do not answer, "No answer" if none does. */
export function RoomOnCount({ tally }: { tally: RoomTally | undefined }) {
  const t = useText()
  if (tally?.isKnown !== true) return <span className="text-14 text-ink-2">{t('rooms.unknown')}</span>
  if (isSilentRoom(tally)) return <span className="text-14 text-ink-2">{t('rooms.noAnswer')}</span>
  const { on, unknown } = tally
  const parts = [
    ...(on > 0 || unknown === 0 ? [t('rooms.onCount', { count: on })] : []),
    ...(unknown > 0 ? [t('rooms.unknownCount', { count: unknown })] : [])
  ]
  return (
    <span className="flex items-center gap-1.5 text-14 text-ink-2">
      {on > 0 && <span aria-hidden="true" className="size-2 rounded-full bg-on ring-1 ring-on-edge" />}
      <span className={cn(on > 0 && 'font-medium text-ink', parts.length === 1 && 'whitespace-nowrap')}>
        {parts.join(' · ')}
      </span>
    </span>
  )
}
