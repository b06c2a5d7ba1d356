import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

/** A surface. */
export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div {...props} className={cn(cardClass(false), className)} />
}

export function cardClass(isLit: boolean): string {
  return cn(
    'rounded-card border bg-card shadow-card transition-[border-color,background-color] duration-160',
    isLit ? 'lit border-on-line' : 'border-line'
  )
}
