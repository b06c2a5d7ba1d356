import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState, type KeyboardEvent, type SyntheticEvent } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useKeptScroll } from './use-kept-scroll.ts'
import { printMedia, useMedia } from '#web/lib/use-media.ts'
import type { Density } from '#web/lib/lists/list-address.ts'
import { gridWidth, menuWidth, selectWidth, type Column } from './columns.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import type { RowUse } from './row-actions.tsx'
import type { DataTableState, Identified } from './use-data-table.ts'

export interface TableGridProps<Row extends Identified> extends RowUse<Row> {
  label: string
  columns: readonly Column<Row>[]
  table: DataTableState<Row>
  total: number
  /** How many rows the earlier pages have. */
  before: number
  density: Density
  canSelect: boolean
  isPrevious: boolean
}

/** From this length on only the visible rows are rendered. */
const virtualFrom = 100

/** Columns and rows scale with the text size. */
const rem = (px: number) => `${px / 16}rem`
const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize || '16') / 16

/** Returns the index of the row of an event; null outside of the rows. */
function rowOf({ target }: SyntheticEvent): number | null {
  const index = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]')?.dataset['row'] : undefined
  return index === undefined ? null : Number(index)
}

/** The table, at most 70 % of the viewport high; it scrolls below its sticky head. In print all rows are rendered. */
export function TableGrid<Row extends Identified>(props: TableGridProps<Row>) {
  const { label, columns, table, total, before, density, canSelect, isPrevious, nameOf, onOpen, renderMenu } = props
  const { rows, selection } = table
  const box = useKeptScroll<HTMLDivElement>()
  const [active, setActive] = useState(0)
  const current = Math.min(active, Math.max(rows.length - 1, 0))
  const isOnPaper = useMedia(printMedia)
  const isVirtual = rows.length >= virtualFrom && !isOnPaper
  // oxlint-disable-next-line react/incompatible-library -- said of a compiler that this app does not use
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => (density === 'compact' ? 41 : 54) * textScale(),
    getItemKey: (index) => rows[index]?._id ?? index,
    overscan: 12,
    enabled: isVirtual
  })
  const items = isVirtual ? virtual.getVirtualItems() : []
  const range = isVirtual ? items.map(({ index }) => index) : rows.map((_, index) => index)
  const above = items[0]?.start ?? 0
  const below = isVirtual ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  const widths = gridWidth(columns, { canSelect, hasMenu: renderMenu !== undefined })

  const hasSelection = selection.count > 0
  useEffect(() => {
    const { activeElement } = document
    const scroller = box.current
    if (!hasSelection || scroller === null || activeElement === null || !scroller.contains(activeElement)) return
    // The selection bar takes some of the height: the row selected last must stay visible.
    const hidden = activeElement.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom
    if (hidden > 0) scroller.scrollTop += hidden
  }, [box, hasSelection])

  function goTo(index: number) {
    const next = Math.max(0, Math.min(index, rows.length - 1))
    setActive(next)
    if (isVirtual) virtual.scrollToIndex(next)
    const focus = () => box.current?.querySelector<HTMLElement>(`tr[data-row="${next}"]`)?.focus()
    if (isVirtual) requestAnimationFrame(focus)
    else focus()
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const row = rows[current]
    // Keys on a control within the row belong to that control.
    const isOnRow = event.target instanceof HTMLTableRowElement
    const keys: Record<string, (() => void) | undefined> = {
      ArrowDown: () => goTo(current + 1),
      ArrowUp: () => goTo(current - 1),
      PageDown: () => goTo(current + 10),
      PageUp: () => goTo(current - 10),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ...(row !== undefined && onOpen !== undefined && { Enter: () => onOpen(row) }),
      ...(row !== undefined && canSelect && { ' ': () => selection.toggle(row._id) })
    }
    const run = isOnRow ? keys[event.key] : undefined
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  return (
    <div
      ref={box}
      className={cn(
        'relative isolate max-h-[70vh] min-h-24 scroll-pt-9 overflow-auto overscroll-x-contain border-t border-line transition-opacity duration-160 print:max-h-none print:overflow-visible',
        isPrevious && 'opacity-60'
      )}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its rows take keys
        role="grid"
        aria-label={label}
        aria-rowcount={(table.isFiltered ? rows.length : total) + 1}
        aria-multiselectable={canSelect || undefined}
        onKeyDown={onKeyDown}
        onFocus={(event) => setActive(rowOf(event) ?? active)}
        onDoubleClick={(event) => {
          const row = rows[rowOf(event) ?? -1]
          if (row !== undefined) onOpen?.(row)
        }}
        style={{ minWidth: rem(widths) }}
        className="w-full table-fixed border-separate border-spacing-0"
      >
        <colgroup>
          {canSelect && <col style={{ width: rem(selectWidth) }} />}
          {columns.map(({ id, width }) => (
            <col key={id} style={{ width: rem(width) }} />
          ))}
          {renderMenu && <col style={{ width: rem(menuWidth) }} />}
        </colgroup>
        <GridHead columns={columns} table={table} canSelect={canSelect} hasMenu={renderMenu !== undefined} />
        <tbody>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {range.map((index) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <GridRow
                key={row._id}
                row={row}
                name={nameOf(row)}
                index={index}
                place={table.isFiltered ? index : before + index}
                columns={columns}
                density={density}
                isSelected={selection.has(row._id)}
                isActive={index === current}
                onToggle={canSelect ? selection.toggle : null}
                hasMenu={renderMenu !== undefined}
              />
            )
          })}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  )
}
