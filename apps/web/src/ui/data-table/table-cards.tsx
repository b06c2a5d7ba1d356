import { MoreHorizontal } from 'lucide-react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Cell } from './cell.tsx'
import type { Column } from './columns.ts'
import type { RowUse } from './table-grid.tsx'
import type { DataTableState, Identified } from './use-data-table.ts'

export interface TableCardsProps<Row extends Identified> extends RowUse<Row> {
  label: string
  columns: readonly Column<Row>[]
  table: DataTableState<Row>
  canSelect: boolean
}

const lines = [2, 3, 4] as const

/** Wraps the second value below the first when a card is too narrow for both. */
const largeLetters = '@max-[14rem]:flex-wrap'

/** Rows as cards with the same values in the same places, so that they can be scanned quickly. */
export function TableCards<Row extends Identified>(props: TableCardsProps<Row>) {
  const { label, columns, table, canSelect, nameOf, onOpen, renderMenu } = props
  const t = useText()
  const { selection } = table
  const title = columns.find(({ isTitle }) => isTitle === true) ?? columns[0]
  if (title === undefined) return null
  return (
    <ul aria-label={label} className="grid grid-cols-1 gap-2.5 px-4 pb-4">
      {table.rows.map((row) => (
        <li
          key={row._id}
          data-selected={selection.has(row._id) || undefined}
          className="relative rounded-2xl border border-line bg-card p-3.5 shadow-card [contain-intrinsic-size:auto_7rem] [content-visibility:auto] data-selected:border-accent data-selected:bg-accent-soft"
        >
          <div className="flex items-start gap-2.5">
            {canSelect && (
              <Checkbox
                isChecked={selection.has(row._id)}
                onChange={() => selection.toggle(row._id)}
                label={t('table.select', { name: nameOf(row) })}
                className="z-10 mt-1"
              />
            )}
            <div className="@container min-w-0 flex-1">
              <div className="flex items-start gap-2">
                <h2 className="min-w-0 flex-1 text-14 font-semibold">
                  {onOpen === undefined ? (
                    <Cell column={title} row={row} hasMore={false} />
                  ) : (
                    <button
                      type="button"
                      onClick={() => onOpen(row)}
                      className="w-full text-left outline-none after:absolute after:inset-0 after:rounded-2xl focus-visible:after:outline-2 focus-visible:after:outline-accent"
                    >
                      <Cell column={title} row={row} hasMore={false} />
                    </button>
                  )}
                </h2>
                {renderMenu !== undefined && (
                  <div className="relative z-10 -my-2 -mr-2">
                    <Menu
                      trigger={
                        <IconButton
                          label={t('table.menuOf', { name: nameOf(row) })}
                          icon={<MoreHorizontal size={18} />}
                        />
                      }
                    >
                      {renderMenu(row)}
                    </Menu>
                  </div>
                )}
              </div>
              {lines.map((line) => (
                <CardLine key={line} row={row} columns={columns.filter(({ card }) => card?.line === line)} />
              ))}
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}

function CardLine<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  const t = useText()
  if (columns.length === 0) return null
  // Of two values the second is cut first, unless `isWhole` is set.
  const second = columns.length === 2 ? columns[1]?.card : undefined
  const isFirstKept = second?.isEnd === true && second.isWhole !== true
  return (
    <div className={cn('flex min-w-0 gap-x-2 text-14 text-ink-2', largeLetters)}>
      {columns.map((column) => (
        <span
          key={column.id}
          className={cn(
            'flex min-w-0 gap-x-1',
            largeLetters,
            column.card?.isEnd === true ? 'ml-auto justify-end text-right' : isFirstKept && 'max-w-3/4 shrink-0',
            column.card?.isWhole === true && 'shrink-0 @max-[14rem]:shrink'
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
