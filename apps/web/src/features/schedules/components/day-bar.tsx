import { cn } from '#web/lib/cn.ts'
import { partsOfDay } from '#web/features/schedules/schedule-times.ts'

/** A bar that shows when in the day a schedule runs. Decorative: the times are beside it as text. */
export function DayBar({ startTime, endTime, isActive }: { startTime: string; endTime: string; isActive: boolean }) {
  return (
    <div aria-hidden="true" className="relative mt-3 h-2 overflow-hidden rounded-full bg-well">
      {partsOfDay(startTime, endTime).map(({ start, width }) => (
        <span
          key={start}
          className={cn('absolute inset-y-0 min-w-1 rounded-full', isActive ? 'bg-accent' : 'bg-edge')}
          style={{ left: `${start * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </div>
  )
}
