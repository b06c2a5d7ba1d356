import { useCallback, useEffect, useLayoutEffect, useRef, useState, type CSSProperties } from 'react'
import { toast, Toaster as Base, useToasterStore } from 'react-hot-toast'
import { toastPlace, type Box, type ToastPlace } from './toast-place.ts'

/** The height of one line, until a toast is measured. */
const lineHeightPx = 48
const gutterPx = 8
/** The area around a finger. */
const fingerPx = 24

/** The headings that must stay visible: that of the topmost dialog, else of the page. */
const headings = '[role=dialog] h2, [role=alertdialog] h2, h1'

const seen = (element: Element | null | undefined): Box | null => {
  const box = element?.getBoundingClientRect()
  return box !== undefined && box.width > 0 && box.bottom > 0 && box.top < window.innerHeight ? box : null
}

/** The buttons that send the forms in view, also while they are busy: a finger may be on its way to one. */
const submitBoxes = (): Box[] =>
  [...document.querySelectorAll('button[type=submit], form button[aria-busy]')].map(seen).filter((box) => box !== null)

function headBox(): Box | null {
  const all = [...document.querySelectorAll(headings)]
  return seen(all.findLast((heading) => heading.tagName === 'H2') ?? all[0])
}

/** Whether the target is a control. A page that has the focus as a whole is always below the toasts. */
const isControl = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && target.tabIndex >= 0

/** Returns the place of the toasts: chosen again when the pointer or the focus moves, and when a toast is added. */
function useToastPlace(): ToastPlace {
  const [place, setPlace] = useState<ToastPlace>({ at: 'top', insetPx: null })
  const pressed = useRef<Box | null>(null)
  const shown = useToasterStore().toasts.filter(({ visible }) => visible)
  const heightPx = shown.reduce((sum, { height = 0 }) => sum + Math.max(height, lineHeightPx) + gutterPx, 0)
  const height = useRef(heightPx)

  const choose = useCallback(() => {
    const view = { width: window.innerWidth, height: window.innerHeight }
    const tall = height.current || lineHeightPx + gutterPx
    const used = pressed.current === null ? submitBoxes() : [pressed.current, ...submitBoxes()]
    const next = toastPlace(view, tall, { head: headBox(), used })
    setPlace((now) => (now.at === next.at && now.insetPx === next.insetPx ? now : next))
  }, [])
  useLayoutEffect(() => {
    height.current = heightPx
    // Existing toasts do not move when one disappears.
    if (heightPx > 0) choose()
  }, [heightPx, choose])
  useEffect(() => {
    const onPress = ({ clientX, clientY }: PointerEvent) => {
      pressed.current = grown({ left: clientX, right: clientX, top: clientY, bottom: clientY })
      choose()
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (!isControl(target)) return
      pressed.current = seen(target)
      choose()
    }
    if (isControl(document.activeElement)) pressed.current = seen(document.activeElement)
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('focusin', onFocus, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('focusin', onFocus, true)
    }
  }, [choose])
  return place
}

const grown = ({ left, right, top, bottom }: Box): Box => ({
  left: left - fingerPx,
  right: right + fingerPx,
  top: top - fingerPx,
  bottom: bottom + fingerPx
})

/** Lets the toasts that waited for this file have their whole time: the library counts it from when they were added. */
function useDatedToasts(): boolean {
  const { toasts } = useToasterStore()
  const [waiting] = useState(toasts)
  const [isDated, setDated] = useState(false)
  useLayoutEffect(() => {
    for (const { createdAt: _, ...each } of waiting) toast(each.message, each)
    // oxlint-disable-next-line react/set-state-in-effect -- the library must not see them before
    setDated(true)
  }, [waiting])
  return isDated
}

/**
 * Shows the toasts. The library's defaults are the specified ones: 4 s for blank, error and custom, 2 s for success, no
 * limit for loading, at most 20 held. lib/notify sets how a screen reader announces them.
 */
export function Toaster() {
  const { at, insetPx } = useToastPlace()
  const isDated = useDatedToasts()
  const style: (CSSProperties & Record<'--toasts-top', string>) | undefined =
    insetPx === null ? undefined : { '--toasts-top': `${insetPx}px` }
  if (!isDated) return null
  return (
    <Base
      position={at === 'bottom' ? 'bottom-center' : 'top-center'}
      containerClassName="toasts"
      {...(style !== undefined && { containerStyle: style })}
      toastOptions={{
        // Inline, because the library adds its styles after ours.
        style: {
          maxWidth: '26rem',
          border: '1px solid var(--line)',
          borderRadius: 16,
          background: 'var(--raised)',
          color: 'var(--ink)',
          boxShadow: 'var(--shadow-float)',
          fontWeight: 500
        },
        error: { iconTheme: { primary: 'var(--danger)', secondary: 'var(--raised)' } },
        success: { iconTheme: { primary: 'var(--ok)', secondary: 'var(--raised)' } }
      }}
    />
  )
}
