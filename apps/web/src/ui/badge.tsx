import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

const badgeClass = cva('inline-flex items-center gap-1.5 rounded-full text-12 font-medium whitespace-nowrap', {
  variants: {
    tone: {
      neutral: 'text-ink-2',
      ok: 'text-ink-2',
      muted: 'text-ink-3',
      warn: 'text-warn',
      danger: 'text-danger'
    },
    frame: { none: '', line: 'border border-line bg-card px-2.5 py-1' }
  },
  defaultVariants: { tone: 'neutral', frame: 'line' }
})
const dotClass = {
  neutral: 'bg-ink-3',
  ok: 'bg-ok',
  muted: 'border-[1.5px] border-ink-3',
  warn: 'bg-warn',
  danger: 'bg-danger'
}

export interface BadgeProps extends VariantProps<typeof badgeClass> {
  children: ReactNode
  /** A dot before the text; hollow for `muted`, so that colour is not the only sign. */
  hasDot?: boolean
  className?: string
}

/** A short text for a state. */
export function Badge({ tone, frame, hasDot = false, children, className }: BadgeProps) {
  return (
    <span className={cn(badgeClass({ tone, frame }), className)}>
      {hasDot && (
        <span aria-hidden="true" className={cn('size-2 shrink-0 rounded-full', dotClass[tone ?? 'neutral'])} />
      )}
      {children}
    </span>
  )
}
