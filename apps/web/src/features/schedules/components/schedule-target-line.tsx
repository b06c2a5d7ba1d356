import { CalendarClock } from 'lucide-react'

/** The switch and board of a schedule. */
export function ScheduleTargetLine({ name, board }: { name: string; board: string }) {
  return (
    <p className="flex items-center gap-3 rounded-2xl border border-line bg-well/50 px-3.5 py-2.5">
      <CalendarClock aria-hidden="true" size={20} className="text-ink-3" />
      <span className="min-w-0">
        <span className="block wrap-anywhere font-semibold">{name}</span>
        <span className="block wrap-anywhere text-14 text-ink-2">{board}</span>
      </span>
    </p>
  )
}
