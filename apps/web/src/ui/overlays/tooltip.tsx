import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

/** More text on hover and focus. Never put anything important only here: touch screens do not show it. */
export function Tooltip({ children, text }: { children: ReactElement; text: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={300} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-70">
          <Base.Popup className="max-w-72 rounded-lg bg-ink px-2.5 py-1.5 text-12 text-page shadow-float transition-opacity duration-160 data-ending-style:opacity-0 data-starting-style:opacity-0">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
