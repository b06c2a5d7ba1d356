import { ArrowDown, ArrowUp } from 'lucide-react'
import type { FocusEvent } from 'react'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { Column } from './columns.ts'
import type { DataTableState, Identified } from './use-data-table.ts'

export interface GridHeadProps<Row extends Identified> {
  columns: readonly Column<Row>[]
  table: DataTableState<Row>
  canSelect: boolean
  hasMenu: boolean
}

const headCell =
  'sticky top-0 z-20 h-9 pointer-coarse:h-11 border-b border-line bg-card px-2 text-left text-12 font-medium text-ink-3'

/** Scrolls a heading out from under the sticky columns; browsers do nothing for one that is partly visible. */
function uncover({ currentTarget }: FocusEvent<HTMLElement>) {
  // Under a mouse it must not move between press and release.
  const heading = currentTarget.matches(':focus-visible') ? currentTarget.closest('th') : null
  const box = currentTarget.closest('table')?.parentElement
  if (!heading || !box) return
  const [before, after] = [...(heading.parentElement?.children ?? [])].filter((cell) => cell.matches('[data-stuck]'))
  const own = heading.getBoundingClientRect()
  const left = Math.max(0, (before?.getBoundingClientRect().right ?? own.left) - own.left)
  const right = Math.max(0, own.right - (after?.getBoundingClientRect().left ?? own.right))
  box.scrollLeft += right - left
}

/** The sticky table head; a sortable column is a button that announces its order. */
export function GridHead<Row extends Identified>({ columns, table, canSelect, hasMenu }: GridHeadProps<Row>) {
  const t = useText()
  const { selection, sorting, rows } = table
  const isFull = rows.length > 0 && rows.every(({ _id }) => selection.has(_id))
  return (
    <thead>
      <tr>
        {canSelect && (
          <th scope="col" className={cn(headCell, 'left-0 z-30 w-11 pl-4')}>
            <Checkbox
              isChecked={isFull}
              isPartly={!isFull && selection.count > 0}
              onChange={selection.togglePage}
              label={t('table.selectPage')}
            />
          </th>
        )}
        {columns.map((column, index) => {
          const isSorted = sorting.column === column.id
          const Arrow = sorting.isDescending ? ArrowDown : ArrowUp
          return (
            <th
              key={column.id}
              scope="col"
              data-stuck={index === 0 || undefined}
              aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : undefined}
              className={cn(headCell, index === 0 && (canSelect ? 'left-11 z-30' : 'left-0 z-30 pl-6'))}
            >
              {sorting.canSort(column) ? (
                <button
                  type="button"
                  onClick={() => sorting.toggle(column)}
                  onFocus={index === 0 ? undefined : uncover}
                  className={cn(
                    '-mx-1 inline-flex h-9 max-w-full items-center gap-1 rounded-md px-1 -outline-offset-2 hover:text-ink pointer-coarse:h-11 pointer-coarse:w-full',
                    isSorted && 'text-ink'
                  )}
                >
                  <span className="truncate">{t(column.label)}</span>
                  {isSorted && <Arrow aria-hidden="true" size={13} />}
                </button>
              ) : (
                <span className="block truncate">{t(column.label)}</span>
              )}
            </th>
          )
        })}
        {hasMenu && (
          <th scope="col" data-stuck className={cn(headCell, 'right-0 w-12')}>
            <VisuallyHidden>{t('table.actions')}</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  )
}
