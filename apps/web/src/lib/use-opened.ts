import { useRef, useState } from 'react'

/** Tracks which dialog of a page is open, and for which record. */
export function useOpened<Row, Mode extends string = 'view' | 'edit' | 'delete'>() {
  const [opened, setOpened] = useState<{ mode: Mode; row: Row } | null>(null)
  const [isCreating, setCreating] = useState(false)
  // Counts what somebody opened or closed: a record that arrives after the next press opens nothing.
  const presses = useRef(0)
  const open = (mode: Mode, row: Row) => {
    presses.current += 1
    setOpened({ mode, row })
  }
  return {
    isCreating,
    create: () => {
      presses.current += 1
      setCreating(true)
    },
    open,
    /** Opens a dialog once its record is loaded. */
    openLoaded: async (mode: Mode, load: () => Promise<Row>) => {
      presses.current += 1
      const press = presses.current
      const row = await load()
      if (press === presses.current) open(mode, row)
    },
    /** Returns the record if this dialog is open. */
    in: (mode: Mode): Row | null => (opened?.mode === mode ? opened.row : null),
    close: () => {
      presses.current += 1
      setOpened(null)
      setCreating(false)
    }
  }
}
