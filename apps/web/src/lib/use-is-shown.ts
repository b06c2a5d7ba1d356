import { useEffect, useRef, type RefObject } from 'react'

/** Returns a ref that tells whether the component is still mounted, for code after an await. */
export function useIsShown(): Readonly<RefObject<boolean>> {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
