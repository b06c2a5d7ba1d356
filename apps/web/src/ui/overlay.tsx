import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/**
 * What must be seen and heard above an open dialog: toasts, the connection bar, the banner. Outside the app's root,
 * which is a stacking context of its own, and marked live, so that a modal dialog does not hide it from screen readers.
 */
export function Overlay({ children }: { children: ReactNode }) {
  return createPortal(<div aria-live="off">{children}</div>, document.body)
}
