import { useEffect, useRef, useState, type RefObject } from 'react'
import { useServices } from '#web/lib/services.ts'
import { isPillMoved, keepInside, placeAfterKey, readPillPlace, writePillPlace, type PillPlace } from './pill-place.ts'

const pageSize = () => ({ width: window.innerWidth, height: window.innerHeight })

/** Returns the pill's remembered place, kept inside the window. `move` takes the wanted centre in pixels. */
export function usePillPlace(pill: RefObject<HTMLElement | null>) {
  const { storage } = useServices()
  const [place, setPlace] = useState<PillPlace>(() => readPillPlace(storage))
  const [isMoved, setMoved] = useState(() => isPillMoved(storage))
  // A drag may end before its last move is rendered.
  const dragged = useRef<PillPlace | null>(null)

  const put = (next: PillPlace) => {
    const box = pill.current?.getBoundingClientRect()
    const kept = box ? keepInside(next, box, pageSize()) : next
    setPlace(kept)
    return kept
  }
  // Keeps the pill inside a smaller window; in a larger one again it returns to its stored place.
  useEffect(() => {
    const stay = () => {
      const box = pill.current?.getBoundingClientRect() ?? { width: 0, height: 0 }
      setPlace(keepInside(readPillPlace(storage), box, pageSize()))
    }
    stay()
    window.addEventListener('resize', stay)
    return () => window.removeEventListener('resize', stay)
  }, [pill, storage])

  return {
    place,
    /** Whether somebody has moved it. */
    isMoved,
    move: ({ x, y }: { x: number; y: number }) => {
      setMoved(true)
      dragged.current = put({ x: x / window.innerWidth, y: y / window.innerHeight })
    },
    /** Returns whether the key moved the pill. */
    moveByKey: (key: string): boolean => {
      const next = placeAfterKey(place, key, pageSize())
      if (next === null) return false
      setMoved(true)
      writePillPlace(storage, put(next))
      return true
    },
    /** Stores the place at the end of a drag. A press without a move stores nothing. */
    settle: () => {
      if (dragged.current !== null) writePillPlace(storage, dragged.current)
      dragged.current = null
    }
  }
}
