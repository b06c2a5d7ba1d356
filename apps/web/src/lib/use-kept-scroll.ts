import { isRecord } from '@batti/kit/json'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useServices } from './services.ts'

const stillMs = 150

/** The state of an entry of the history belongs to the router; this adds one field. */
const stateOf = (): Record<string, unknown> => {
  const state: unknown = window.history.state
  return isRecord(state) ? state : {}
}

/**
 * Keeps how far a box is scrolled in the entry of the browser's history, for the way back. The browser does this for
 * the window alone. Another page of the list begins at its top.
 */
export function useKeptScroll(box: RefObject<HTMLElement | null>): void {
  const { clock } = useServices()
  const { key } = useLocation()
  const [params] = useSearchParams()
  const page = params.get('page')
  const lastPage = useRef(page)

  useLayoutEffect(() => {
    const { scrolledTo } = stateOf()
    const isOther = lastPage.current !== page
    lastPage.current = page
    if (box.current === null) return
    if (typeof scrolledTo === 'number') box.current.scrollTop = scrolledTo
    else if (isOther) box.current.scrollTop = 0
  }, [box, key, page])

  useEffect(() => {
    const scroller = box.current
    if (scroller === null) return undefined
    let cancel = () => {}
    const onScroll = () => {
      cancel()
      cancel = clock.after(stillMs, () =>
        window.history.replaceState({ ...stateOf(), scrolledTo: scroller.scrollTop }, '')
      )
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancel()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [box, clock, key])
}
