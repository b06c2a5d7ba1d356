import type { VariantProps } from 'class-variance-authority'
import { Link, type LinkProps } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { buttonClass } from './button.tsx'

/** A link styled as a button, because it leads to an action. */
export function LinkButton({ variant, width, className, ...props }: LinkProps & VariantProps<typeof buttonClass>) {
  return <Link {...props} className={cn(buttonClass({ variant, width }), className)} />
}

/** A link within a text. */
export function TextLink({ className, ...props }: LinkProps) {
  return <Link {...props} className={cn('font-medium text-accent underline-offset-4 hover:underline', className)} />
}
