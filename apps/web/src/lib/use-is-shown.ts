import { useEffect, useRef, type RefObject } from 'react'

/** Whether the component is still on the page, for what comes back after an await. */
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
