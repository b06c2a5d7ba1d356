import { cn } from '#web/lib/cn.ts'

/** A place that something is loading into; give it the size of that thing, so that nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('animate-breathe rounded-control bg-well', className)} />
}
