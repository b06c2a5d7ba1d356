import { isRecord } from '@batti/kit/json'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useServices } from '#web/lib/services.ts'

const stillMs = 150

/** The state of an entry of the history belongs to the router; this adds one field. */
const stateOf = (): Record<string, unknown> => {
  const state: unknown = window.history.state
  return isRecord(state) ? state : {}
}
const keptFor = (entry: string): number | null => {
  const { scrolled } = stateOf()
  return isRecord(scrolled) && scrolled['entry'] === entry && typeof scrolled['to'] === 'number' ? scrolled['to'] : null
}

/**
 * Returns the ref of a box. How far the box is scrolled is kept in the entry of the browser's history, for the way
 * back; browsers do this for the window alone. Another page of a list begins at its top.
 */
export function useKeptScroll<Box extends HTMLElement>(): RefObject<Box | null> {
  const box = useRef<Box>(null)
  const { clock } = useServices()
  const { key: entry } = useLocation()
  const [params] = useSearchParams()
  const page = params.get('page')
  const lastPage = useRef(page)

  useLayoutEffect(() => {
    const top = keptFor(entry) ?? (lastPage.current === page ? null : 0)
    lastPage.current = page
    if (box.current !== null && top !== null) box.current.scrollTop = top
  }, [entry, page])

  useEffect(() => {
    const scroller = box.current
    if (scroller === null) return undefined
    let cancel = () => {}
    const onScroll = () => {
      cancel()
      cancel = clock.after(stillMs, () =>
        window.history.replaceState({ ...stateOf(), scrolled: { entry, to: scroller.scrollTop } }, '')
      )
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancel()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [clock, entry])
  return box
}
