import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

/** A surface. `isLit`: something in it is on; the only use of the amber edge. */
export function Card({ isLit = false, className, ...props }: ComponentProps<'div'> & { isLit?: boolean }) {
  return <div {...props} className={cn(cardClass(isLit), className)} />
}

export function cardClass(isLit: boolean): string {
  return cn(
    'rounded-card border bg-card shadow-card transition-[border-color,background-color] duration-160',
    isLit ? 'lit border-on-line' : 'border-line'
  )
}
