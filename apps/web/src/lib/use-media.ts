import { useCallback, useSyncExternalStore } from 'react'

/** Wide enough for the side bar and for two columns. */
export const wideScreen = '(width >= 64rem)'

/** A phone: the quick navigation is a bar at the bottom. */
export const phoneScreen = '(width < 40rem)'

/** Tables are shown as cards. */
export const narrowScreen = '(width < 45rem)'

/** As low as at 400 % zoom: the variant `low` of the styles. */
export const lowScreen = '(height < 25rem)'

/** While the page is printed. */
export const printMedia = 'print'

/** Returns whether a media query matches; false without a screen. */
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
