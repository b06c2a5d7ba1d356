import type { ReactNode } from 'react'

/** For screen readers only. `live` announces changes of the content. */
export function VisuallyHidden({ children, live }: { children: ReactNode; live?: 'polite' | 'assertive' }) {
  return (
    <span className="sr-only" aria-live={live}>
      {children}
    </span>
  )
}
