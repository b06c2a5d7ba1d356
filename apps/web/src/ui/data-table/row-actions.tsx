import { createContext, useContext, type ReactNode } from 'react'
import type { Identified } from './use-data-table.ts'

export interface RowUse<Row> {
  /** Returns the name of a row for screen readers. */
  nameOf: (row: Row) => string
  onOpen?: (row: Row) => void
  renderMenu?: (row: Row) => ReactNode
}

interface RowActions {
  openRow: (id: string) => void
  menuOf: (id: string) => ReactNode
}
const Actions = createContext<RowActions>({ openRow: () => undefined, menuOf: () => null })

/**
 * Provides what can be done with each row. A list's functions are new at each of its renders; as a context they do not
 * render its rows again.
 */
export function RowActionsOf<Row extends Identified>({
  rows,
  use: { onOpen, renderMenu },
  children
}: {
  rows: readonly Row[]
  use: RowUse<Row>
  children: ReactNode
}) {
  const find = (id: string) => rows.find(({ _id }) => _id === id)
  const openRow = (id: string) => {
    const row = find(id)
    if (row !== undefined) onOpen?.(row)
  }
  const menuOf = (id: string) => {
    const row = find(id)
    return row === undefined ? null : renderMenu?.(row)
  }
  return <Actions value={{ openRow, menuOf }}>{children}</Actions>
}

/** The items of a row's menu; rendered only while it is open. */
export function RowMenuItems({ id }: { id: string }) {
  return useContext(Actions).menuOf(id)
}

/** A card's title, which opens its row; the whole card is the button's area. */
export function OpenRow({ id, children }: { id: string; children: ReactNode }) {
  const { openRow } = useContext(Actions)
  return (
    <button
      type="button"
      onClick={() => openRow(id)}
      className="w-full text-left outline-none after:absolute after:inset-0 after:rounded-2xl focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {children}
    </button>
  )
}
