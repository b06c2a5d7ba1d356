import { cn } from '#web/lib/cn.ts'

/** A placeholder while something loads; give it the size of the content, so that nothing jumps. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden="true" className={cn('animate-breathe rounded-control bg-well', className)} />
}

export function Skeletons({ count, className }: { count: number; className?: string | undefined }) {
  return Array.from({ length: count }, (_, index) => <Skeleton key={index} className={className} />)
}
