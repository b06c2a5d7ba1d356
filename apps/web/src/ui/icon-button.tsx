import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

export const iconButtonClass =
  'inline-grid size-11 shrink-0 place-items-center rounded-full text-ink-2 transition-colors duration-160 hover:bg-well hover:text-ink disabled:opacity-40 data-popup-open:bg-well'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Read by screen readers, shown on hover. */
  label: string
  icon: ReactNode
}

/** Always 44 px, however small its icon. */
export function IconButton({ label, icon, className, type = 'button', ...props }: IconButtonProps) {
  return (
    <button {...props} type={type} aria-label={label} title={label} className={cn(iconButtonClass, className)}>
      {icon}
    </button>
  )
}
