import { cn } from '#web/lib/cn.ts'

/** A name that people gave, on two lines at most; the whole of it on hover. */
export function Name({ children, className }: { children: string; className?: string }) {
  return (
    <span title={children} className={cn('line-clamp-2 wrap-anywhere', className)}>
      {children}
    </span>
  )
}
