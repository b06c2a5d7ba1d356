import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/**
 * Holds what must be above an open dialog: toasts, the connection bar, the banner. It is outside the app's root, which
 * is a stacking context, and has `aria-live`, so that a modal dialog does not hide it from screen readers.
 */
export function Overlay({ children }: { children: ReactNode }) {
  return createPortal(<div aria-live="off">{children}</div>, document.body)
}
