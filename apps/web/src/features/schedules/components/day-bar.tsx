import { cn } from '#web/lib/cn.ts'
import { partsOfDay } from '#web/features/schedules/schedule-times.ts'

/** Where in the day a run lies. A drawing of what the times beside it say. */
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
