import { useState } from 'react'

/** Which dialog of a page is open, and for which record. */
export function useOpened<Row, Mode extends string = 'view' | 'edit' | 'delete'>() {
  const [opened, setOpened] = useState<{ mode: Mode; row: Row } | null>(null)
  const [isCreating, setCreating] = useState(false)
  return {
    isCreating,
    create: () => setCreating(true),
    open: (mode: Mode, row: Row) => setOpened({ mode, row }),
    /** The record, where this is its dialog. */
    in: (mode: Mode): Row | null => (opened?.mode === mode ? opened.row : null),
    close: () => {
      setOpened(null)
      setCreating(false)
    }
  }
}
