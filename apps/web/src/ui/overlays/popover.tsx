import { Popover as Base } from '@base-ui/react/popover'
import { useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { lowScreen, useMedia } from '#web/lib/use-media.ts'
import { focusAfterEscape } from './after-escape.ts'
import { BackCloses } from './back-closes.tsx'
import { popupClass } from './menu.tsx'

export interface PopoverProps {
  trigger: ReactElement
  title: string
  children: ReactNode
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** A small panel beside its button, for a few controls. It closes on Escape or Back and on a press outside. */
export function Popover({ trigger, title, children, isOpen, onOpenChange }: PopoverProps) {
  const popup = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const actions = useRef<Base.Root.Actions>(null)
  const reasonToClose = useRef('')
  const isLow = useMedia(lowScreen)
  // With `isOpen` its owner decides, and may ask first.
  useLayoutEffect(() => {
    if (isOpen === false) focusAfterEscape(isOpen, { reason: reasonToClose.current, trigger: button.current })
  }, [isOpen])
  return (
    <Base.Root
      {...(isOpen !== undefined && { open: isOpen })}
      actionsRef={actions}
      onOpenChange={(open, { reason }) => {
        reasonToClose.current = reason
        onOpenChange?.(open)
        if (isOpen === undefined) focusAfterEscape(open, { reason, trigger: button.current })
      }}
    >
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner
          className="z-60"
          sideOffset={6}
          align="end"
          collisionPadding={8}
          // In a low window it has no room beside its button, and covers it.
          {...(isLow && { collisionAvoidance: { side: 'shift' } })}
        >
          {/* The panel itself gets the focus: its controls may still be loading, and the next Tab reaches the first. */}
          <Base.Popup
            ref={popup}
            initialFocus={popup}
            className={cn(popupClass, 'max-w-[min(18rem,var(--available-width))]')}
          >
            <BackCloses popup={actions} />
            <Base.Title className="px-3 pt-2 pb-1 text-14 font-medium wrap-anywhere text-ink-3">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
