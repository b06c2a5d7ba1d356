import { useEffect, useState } from 'react'

/**
 * Returns how much of the page's bottom the on-screen keyboard covers, in px, while `isNeeded`. Browsers shrink what is
 * seen of a page for it, but not the page, so that what is fixed at the bottom would be below the keyboard.
 */
export function useKeyboardHeight(isNeeded: boolean): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const seen = window.visualViewport
    if (!isNeeded || !seen) return undefined
    const measure = () => {
      const covered = Math.round(window.innerHeight - seen.offsetTop - seen.height)
      // Who has zoomed in sees less of the page without a keyboard, too.
      setHeight(seen.scale > 1 ? 0 : Math.max(0, covered))
    }
    measure()
    seen.addEventListener('resize', measure)
    seen.addEventListener('scroll', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      seen.removeEventListener('scroll', measure)
    }
  }, [isNeeded])
  return height
}
