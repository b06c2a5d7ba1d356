import { cn } from '#web/lib/cn.ts'

/** A place that something is loading into; give it the size of that thing, so that nothing jumps. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden="true" className={cn('animate-breathe rounded-control bg-well', className)} />
}

/** Several of them, one for each thing that is loading. */
export function Skeletons({ count, className }: { count: number; className?: string | undefined }) {
  return Array.from({ length: count }, (_, index) => <Skeleton key={index} className={className} />)
}
