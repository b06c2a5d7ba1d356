import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { SpinnerRing } from './spinner-ring.tsx'

export const buttonClass = cva(
  'relative inline-flex min-h-11 items-center justify-center gap-2 rounded-control border px-4 text-16 font-semibold transition-[background-color,border-color,opacity,filter] duration-160 select-none active:brightness-95 disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-accent text-accent-ink hover:brightness-110',
        quiet: 'border-edge bg-transparent text-ink hover:bg-well',
        ghost: 'border-transparent bg-transparent text-ink-2 hover:bg-well hover:text-ink',
        danger: 'border-transparent bg-danger text-accent-ink hover:brightness-110'
      },
      width: { auto: '', full: 'w-full' }
    },
    defaultVariants: { variant: 'primary', width: 'auto' }
  }
)

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonClass> {
  /** Ignores presses but keeps the focus, which a disabled button would lose. */
  isLocked?: boolean
  /** Locked, with a spinner. */
  isBusy?: boolean
}

export function Button({
  variant,
  width,
  isBusy = false,
  isLocked = isBusy,
  className,
  children,
  onClick,
  type = 'button',
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={isLocked ? 'button' : type}
      aria-disabled={isLocked || undefined}
      aria-busy={isBusy || undefined}
      onClick={isLocked ? undefined : onClick}
      // The spinner replaces the button's icon, so that neighbouring elements do not move.
      className={cn(buttonClass({ variant, width }), isBusy && '[&>.lucide]:hidden', className)}
    >
      {isBusy && <SpinnerRing className="size-4.5" />}
      {children}
    </button>
  )
}
