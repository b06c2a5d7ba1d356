import { MoreHorizontal } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { NavigationType, useNavigationType } from 'react-router-dom'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { Cell } from './cell.tsx'
import { titleColumn, valueOf, type Column } from './columns.ts'
import { OpenRow, RowMenuItems, type RowUse } from './row-actions.tsx'
import type { DataTableState, Identified } from './use-data-table.ts'

export interface TableCardsProps<Row extends Identified> extends RowUse<Row> {
  label: string
  columns: readonly Column<Row>[]
  table: DataTableState<Row>
  canSelect: boolean
  /** The page of the rows. */
  page: number
  isPrevious: boolean
}

const lines = [2, 3, 4] as const

/** Rows as cards with the same values in the same places, so that they can be scanned quickly. */
export function TableCards<Row extends Identified>(props: TableCardsProps<Row>) {
  const { label, columns, table, canSelect, page, isPrevious, nameOf, onOpen, renderMenu } = props
  const { selection } = table
  return (
    <ul
      ref={useTopOfPage(page)}
      aria-label={label}
      className={cn(
        'grid scroll-mt-2 grid-cols-1 gap-2.5 px-4 pb-4 transition-opacity duration-160',
        isPrevious && 'opacity-60'
      )}
    >
      {table.rows.map((row) => (
        <TableCard
          key={row._id}
          row={row}
          name={nameOf(row)}
          columns={columns}
          isSelected={selection.has(row._id)}
          onToggle={canSelect ? selection.toggle : null}
          canOpen={onOpen !== undefined}
          hasMenu={renderMenu !== undefined}
        />
      ))}
    </ul>
  )
}

/**
 * Returns the ref of the cards: those of another page begin at the first, also when the button is below the last one. The
 * focus goes with them from that button, which is out of sight then.
 */
function useTopOfPage(page: number) {
  const cards = useRef<HTMLUListElement>(null)
  const lastPage = useRef(page)
  const isBack = useNavigationType() === NavigationType.Pop
  useLayoutEffect(() => {
    if (lastPage.current === page) return
    lastPage.current = page
    // On the way back the browser itself scrolls to where the page was left.
    if (isBack || cards.current === null) return
    if (cards.current.getBoundingClientRect().top >= 0) return
    cards.current.scrollIntoView()
    if (document.activeElement?.matches('[data-pager] *') !== true) return
    cards.current.querySelector('li')?.focus({ preventScroll: true })
  }, [page, isBack])
  return cards
}

interface TableCardProps<Row extends Identified> {
  row: Row
  name: string
  columns: readonly Column<Row>[]
  isSelected: boolean
  /** Null: the rows cannot be selected. */
  onToggle: ((id: string) => void) | null
  canOpen: boolean
  hasMenu: boolean
}

/** A row as a card. Its content is not rendered again while only the cards around it change. */
function TableCard<Row extends Identified>(props: TableCardProps<Row>) {
  const { row, name, columns, isSelected, onToggle, canOpen, hasMenu } = props
  return useMemo(
    () => (
      <li
        tabIndex={-1}
        data-selected={isSelected || undefined}
        className="relative rounded-2xl border border-line bg-card p-3.5 shadow-card [contain-intrinsic-size:auto_7rem] [content-visibility:auto] data-selected:border-accent data-selected:bg-accent-soft"
      >
        <CardContent {...{ row, name, columns, isSelected, onToggle, canOpen, hasMenu }} />
      </li>
    ),
    [row, name, columns, isSelected, onToggle, canOpen, hasMenu]
  )
}

function CardContent<Row extends Identified>(props: TableCardProps<Row>) {
  const { row, name, columns, isSelected, onToggle, canOpen, hasMenu } = props
  const t = useText()
  const title = titleColumn(columns)
  if (title === undefined) return null
  const heading = <Cell column={title} row={row} hasMore={false} />
  return (
    <div className="flex items-start gap-2.5">
      {onToggle !== null && (
        <Checkbox
          isChecked={isSelected}
          onChange={() => onToggle(row._id)}
          label={t('table.select', { name })}
          className="z-10 mt-1"
        />
      )}
      <div className="@container min-w-0 flex-1">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 text-14 font-semibold">
            {canOpen ? <OpenRow id={row._id}>{heading}</OpenRow> : heading}
          </h2>
          {hasMenu && (
            <div className="relative z-10 -my-2 -mr-2">
              <Menu trigger={<IconButton label={t('table.menuOf', { name })} icon={<MoreHorizontal size={18} />} />}>
                <RowMenuItems id={row._id} />
              </Menu>
            </div>
          )}
        </div>
        {lines.map((line) => (
          <CardLine key={line} row={row} columns={ofLine(columns, line)} />
        ))}
      </div>
    </div>
  )
}

/** Those at the end of the line come last, wherever their columns are in the table. */
function ofLine<Row>(columns: readonly Column<Row>[], line: number): readonly Column<Row>[] {
  return columns
    .filter(({ card }) => card?.line === line)
    .toSorted((a, b) => Number(a.card?.isEnd === true) - Number(b.card?.isEnd === true))
}

function onCard<Row>(column: Column<Row>): Column<Row> {
  const cell = column.card?.cell
  return cell === undefined ? column : { ...column, cell }
}

const isEmpty = <Row,>(column: Column<Row>, row: Row, t: Text): boolean =>
  (valueOf(column, row, t) ?? '') === '' && (column.cell?.(row) ?? null) === null

function CardLine<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  const t = useText()
  // Without the heading of its column a lone dash says nothing.
  const drawn = columns.map(onCard)
  if (drawn.every((column) => isEmpty(column, row, t))) return null
  return (
    // The second value wraps below the first when both do not fit beside each other.
    <div className="flex min-w-0 flex-wrap gap-x-2 text-14 text-ink-2">
      {drawn.map((column) => (
        <span
          key={column.id}
          className={cn(
            'flex min-w-0 flex-wrap gap-x-1',
            column.card?.isEnd === true && 'ml-auto justify-end text-right'
          )}
        >
          {/* A bare number needs the heading of its column. */}
          {column.isNumber === true && column.cell === undefined && <span>{t(column.label)}</span>}
          <Cell column={column} row={row} hasMore={false} />
        </span>
      ))}
    </div>
  )
}
