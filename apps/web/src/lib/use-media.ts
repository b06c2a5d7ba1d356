import { useCallback, useSyncExternalStore } from 'react'

/** From here on there is room for the side bar, and for two columns. */
export const wideScreen = '(width >= 64rem)'

/** One hand holds it: the quick-nav is a bar at its bottom. */
export const phoneScreen = '(width < 40rem)'

/** Below it tables are cards. */
export const narrowScreen = '(width < 45rem)'

/** While the page is printed. */
export const onPaper = 'print'

/** Whether a media query holds now. Where there is no screen to ask, it does not. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (typeof window.matchMedia !== 'function') return () => {}
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query]
  )
  return useSyncExternalStore(subscribe, () =>
    typeof window.matchMedia === 'function' ? window.matchMedia(query).matches : false
  )
}
