import { useEffect, useState } from 'react'
import { Toaster as Base } from 'react-hot-toast'

/** As far down as two toasts reach. */
const reachPx = 140

/** Whether the hand, or the keyboard, was last where toasts appear. */
function useTopInUse(): boolean {
  const [isTop, setTop] = useState(() => isUnderToasts(document.activeElement))
  useEffect(() => {
    const onPress = ({ clientY }: PointerEvent) => setTop(clientY < reachPx)
    const onFocus = ({ target }: FocusEvent) => setTop(isUnderToasts(target))
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('focusin', onFocus, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('focusin', onFocus, true)
    }
  }, [])
  return isTop
}

/** A control, that is: a page that has the focus as a whole is under everything. */
const isUnderToasts = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.tabIndex >= 0 && target.getBoundingClientRect().top < reachPx

/**
 * Where toasts appear. The library's defaults are the specified ones: 4 s for blank, error and custom, 2 s for success,
 * loading unlimited, at most 20 held. They leave the top of the page where somebody is just using it. How a screen reader is told of them is in lib/notify.
 */
export function Toaster() {
  const isTopInUse = useTopInUse()
  return (
    <Base
      position={isTopInUse ? 'bottom-center' : 'top-center'}
      containerClassName="toasts"
      toastOptions={{
        // Inline, because the library writes its own styles after ours.
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
