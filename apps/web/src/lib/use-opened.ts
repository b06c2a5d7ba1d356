import { useState } from 'react'

/** Tracks which dialog of a page is open, and for which record. */
export function useOpened<Row, Mode extends string = 'view' | 'edit' | 'delete'>() {
  const [opened, setOpened] = useState<{ mode: Mode; row: Row } | null>(null)
  const [isCreating, setCreating] = useState(false)
  return {
    isCreating,
    create: () => setCreating(true),
    open: (mode: Mode, row: Row) => setOpened({ mode, row }),
    /** Returns the record if this dialog is open. */
    in: (mode: Mode): Row | null => (opened?.mode === mode ? opened.row : null),
    close: () => {
      setOpened(null)
      setCreating(false)
    }
  }
}
