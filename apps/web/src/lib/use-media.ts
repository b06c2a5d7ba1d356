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

/**
 * Returns whether a media query matches. Paper is no narrower screen: a browser counts its sheets before the page could be
 * arranged anew.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      const changed = () => {
        if (query !== wideScreen || !window.matchMedia(printMedia).matches) listener()
      }
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query]
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
