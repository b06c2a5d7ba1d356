import {
  BellRing,
  CalendarClock,
  CircleHelp,
  Power,
  ToggleLeft,
  TriangleAlert,
  UserRound,
  Workflow,
  type LucideIcon
} from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import type { LogCause } from '#web/features/action-logs/log-cause.ts'

const icons: Partial<Record<string, LucideIcon>> = {
  person: UserRound,
  button: ToggleLeft,
  schedule: CalendarClock,
  power: Power,
  api: Workflow,
  missed: TriangleAlert,
  notice: BellRing,
  unknown: CircleHelp
} satisfies Record<LogCause, LucideIcon>

/** An icon of who or what caused a change. The text beside it says the same. */
export function CauseIcon({ cause }: { cause: LogCause }) {
  // A newer server has causes that this page does not know.
  const Icon = icons[cause] ?? CircleHelp
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid size-9 shrink-0 place-items-center rounded-full bg-well',
        cause === 'missed' ? 'text-warn' : 'text-ink-2'
      )}
    >
      <Icon size={17} />
    </span>
  )
}
