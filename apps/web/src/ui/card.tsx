import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div {...props} className={cn(cardClass(false), className)} />
}

/** `isUnknown`: the state cannot be known. */
export function cardClass(isLit: boolean, isUnknown = false): string {
  return cn(
    'rounded-card border bg-card transition-[border-color,background-color] duration-160',
    isUnknown ? 'border-dashed border-edge/60' : 'shadow-card',
    !isUnknown && (isLit ? 'lit border-on-line' : 'border-line')
  )
}
