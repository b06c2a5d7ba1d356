import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

export const iconButtonClass =
  'inline-grid size-11 shrink-0 place-items-center rounded-full text-ink-2 transition-colors duration-160 hover:bg-well hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-40 data-popup-open:bg-well'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Read by screen readers, shown on hover. */
  label: string
  icon: ReactNode
  /** Ignores presses but keeps the focus, which a disabled button would lose. */
  isLocked?: boolean
}

/** Always 44 px, however small its icon. */
export function IconButton({
  label,
  icon,
  isLocked = false,
  className,
  type = 'button',
  onClick,
  ...props
}: IconButtonProps) {
  return (
    <button
      {...props}
      type={type}
      aria-label={label}
      title={label}
      aria-disabled={isLocked || undefined}
      onClick={isLocked ? undefined : onClick}
      className={cn(iconButtonClass, className)}
    >
      {icon}
    </button>
  )
}
