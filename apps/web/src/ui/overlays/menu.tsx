import { Menu as Base } from '@base-ui/react/menu'
import { useRef, type ReactElement, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { lowScreen, useMedia } from '#web/lib/use-media.ts'
import { focusAfterEscape } from './after-escape.ts'
import { BackCloses } from './back-closes.tsx'

export const popupClass =
  'max-h-(--available-height) max-w-(--available-width) min-w-48 overflow-y-auto rounded-2xl border border-line bg-raised p-1.5 shadow-float outline-none transition-[opacity,translate] duration-160 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0'
const itemClass =
  'flex min-h-11 w-full cursor-default items-center gap-3 rounded-xl px-3 text-left text-16 text-ink -outline-offset-2 select-none data-highlighted:bg-well aria-[current=page]:font-semibold data-disabled:opacity-50'

/**
 * A menu of actions behind a button. It closes on a choice, on Escape or Back, and on a press outside. In a low window it
 * opens at the button's side, with the height of the window: over the button, a slow release would choose what is under it.
 */
export function Menu({
  trigger,
  children,
  isOpenAtFirst = false
}: {
  trigger: ReactElement
  children: ReactNode
  /** Set when the press on its button has loaded the menu. */
  isOpenAtFirst?: boolean
}) {
  const actions = useRef<Base.Root.Actions>(null)
  const side = useMedia(lowScreen) ? 'left' : 'bottom'
  return (
    <Base.Root defaultOpen={isOpenAtFirst} actionsRef={actions} onOpenChange={focusAfterEscape}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="z-60" side={side} sideOffset={6} align="end" collisionPadding={8}>
          <Base.Popup className={popupClass}>
            <BackCloses popup={actions} />
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export interface MenuItemProps {
  icon?: ReactNode
  children: ReactNode
  onSelect?: () => void
  /** Makes the item a link, for example `<Link to="...">`. */
  link?: ReactElement
  tone?: 'normal' | 'danger'
  disabled?: boolean
  /** For settings, which may be pressed several times. */
  keepOpen?: boolean
}

export function MenuItem({
  icon,
  children,
  onSelect,
  link,
  tone = 'normal',
  disabled = false,
  keepOpen = false
}: MenuItemProps) {
  const className = cn(itemClass, tone === 'danger' && 'text-danger')
  const content = (
    <>
      {icon !== undefined && <span className="text-ink-3">{icon}</span>}
      <span className="flex-1">{children}</span>
    </>
  )
  if (link !== undefined) {
    return (
      <Base.LinkItem render={link} closeOnClick className={className}>
        {content}
      </Base.LinkItem>
    )
  }
  return (
    <Base.Item className={className} disabled={disabled} closeOnClick={!keepOpen} onClick={onSelect}>
      {content}
    </Base.Item>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="mx-2 my-1.5 h-px bg-line" />
}
