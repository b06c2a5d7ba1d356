import { isRecord } from '@batti/kit/json'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { useServices } from '#web/lib/services.ts'

/** Returns the router's index of a history entry; null for an entry it did not create, such as a link within the page. */
const placeOf = (state: unknown): number | null =>
  isRecord(state) && typeof state['idx'] === 'number' ? state['idx'] : null

/** Adds an entry below a document's first one. Otherwise Back would leave the document, which cannot be undone. */
function layFloor({ history, location }: Window) {
  const state: unknown = history.state
  if (placeOf(state) !== 0 || !isRecord(state)) return
  const { pathname, search, hash } = location
  // Without its query, which may open a dialog.
  history.replaceState(state, '', pathname)
  history.pushState({ ...state, idx: 1 }, '', pathname + search + hash)
}

/**
 * While something is open, the browser's Back button closes it like Escape, and the page stays. The step is undone
 * before the router sees it, so that opening needs no history entry.
 */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const { backHandlers } = useServices()
  const { key } = useLocation()
  const here = useRef<number | null>(null)
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    layFloor(window)
    here.current = placeOf(window.history.state)
    const onPop = (event: PopStateEvent) => {
      event.stopImmediatePropagation()
      const to = placeOf(event.state)
      // Closes only after the page's own entry is current again, as closing may change the current entry.
      if (to === here.current) latest.current()
      else window.history.go(to === null || here.current === null ? 1 : here.current - to)
    }
    backHandlers.push(onPop)
    return () => void backHandlers.splice(backHandlers.indexOf(onPop), 1)
  }, [isOpen, backHandlers])
  useEffect(() => {
    here.current = placeOf(window.history.state)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the router's entry, which may change while it is open
  }, [key])
}
