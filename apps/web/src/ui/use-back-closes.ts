import { isRecord } from '@batti/kit/json'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { useServices } from '#web/lib/services.ts'

/** The router numbers its entries; null where it did not make one, as for a link to a place of the page. */
const placeOf = (state: unknown): number | null =>
  isRecord(state) && typeof state['idx'] === 'number' ? state['idx'] : null

/** From a document's first entry Back leads out of it, where nothing can be taken back: another one goes below. */
function layFloor({ history, location }: Window) {
  const state: unknown = history.state
  if (placeOf(state) !== 0 || !isRecord(state)) return
  const { pathname, search, hash } = location
  // Without its query, which can say that a dialog is open.
  history.replaceState(state, '', pathname)
  history.pushState({ ...state, idx: 1 }, '', pathname + search + hash)
}

/**
 * While it is open, the browser's Back button closes it as Escape does, and the page stays: the step is taken back before
 * the router hears of it, so no entry has to be added for what is open.
 */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const { overPage } = useServices()
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
      // Only once the page's own entry is there again: what closes may write to the entry that it finds.
      if (to === here.current) latest.current()
      else window.history.go(to === null || here.current === null ? 1 : here.current - to)
    }
    overPage.push(onPop)
    return () => void overPage.splice(overPage.indexOf(onPop), 1)
  }, [isOpen, overPage])
  useEffect(() => {
    here.current = placeOf(window.history.state)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the router's entry, which may change while it is open
  }, [key])
}
