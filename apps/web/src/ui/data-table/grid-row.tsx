import { MoreHorizontal } from 'lucide-react'
import { useId, useMemo } from 'react'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { Density } from '#web/lib/lists/list-address.ts'
import { Cell } from './cell.tsx'
import { titleColumn, type Column } from './columns.ts'
import { RowMenuItems } from './row-actions.tsx'
import type { Identified } from './use-data-table.ts'

export interface GridRowProps<Row extends Identified> {
  row: Row
  name: string
  index: number
  /** Its place among the rows of all pages, from 0. */
  place: number
  columns: readonly Column<Row>[]
  density: Density
  isSelected: boolean
  /** The only row in the tab order; controls in other rows are skipped. */
  isActive: boolean
  /** Null: its rows cannot be selected. */
  onToggle: ((id: string) => void) | null
  hasMenu: boolean
}

const surface =
  'bg-card group-hover:bg-[color-mix(in_oklab,var(--well)_45%,var(--card))] group-aria-selected:bg-[color-mix(in_oklab,var(--accent)_11%,var(--card))]'

/** A row of the table. Its cells are not rendered again while only the rows around it change. */
export function GridRow<Row extends Identified>(props: GridRowProps<Row>) {
  const { index, place, ...content } = props
  const { row, name, columns, density, isSelected, isActive, onToggle, hasMenu } = content
  const tabIndex = isActive ? 0 : -1
  const id = useId()
  const cells = useMemo(
    () => <GridCells {...{ id, row, name, columns, density, isSelected, isActive, onToggle, hasMenu }} />,
    [id, row, name, columns, density, isSelected, isActive, onToggle, hasMenu]
  )
  return (
    <tr
      data-row={index}
      aria-rowindex={place + 2}
      // Without the names of its checkbox and menu, which repeat the row's name.
      aria-labelledby={columns.map((column) => cellId(id, column)).join(' ')}
      aria-selected={onToggle === null ? undefined : isSelected}
      tabIndex={tabIndex}
      className="group -outline-offset-2"
    >
      {cells}
    </tr>
  )
}

const cellId = <Row,>(rowId: string, column: Column<Row>) => `${rowId}-${column.id}`

function GridCells<Row extends Identified>(props: Omit<GridRowProps<Row>, 'index' | 'place'> & { id: string }) {
  const t = useText()
  const { id, row, name, columns, density, isSelected, isActive, onToggle, hasMenu } = props
  const tabIndex = isActive ? 0 : -1
  const title = titleColumn(columns)
  const cell = cn(
    surface,
    'border-b border-line px-2 text-14',
    density === 'compact' ? 'h-10.25 pointer-coarse:h-11' : 'h-13.5'
  )
  return (
    <>
      {onToggle !== null && (
        <td className={cn(cell, 'sticky left-0 z-10 w-11 pl-4')}>
          <Checkbox
            isChecked={isSelected}
            onChange={() => onToggle(row._id)}
            label={t('table.select', { name })}
            tabIndex={tabIndex}
          />
        </td>
      )}
      {columns.map((column, place) => (
        <td
          key={column.id}
          id={cellId(id, column)}
          role={column === title ? 'rowheader' : undefined}
          className={cn(
            cell,
            column.isNumber === true && 'tabular-nums',
            place === 0 ? 'sticky z-10 font-medium' : 'text-ink-2',
            place === 0 && (onToggle === null ? 'left-0 pl-6' : 'left-11')
          )}
        >
          <Cell column={column} row={row} hasMore={density === 'comfortable'} />
        </td>
      ))}
      {hasMenu && (
        <td className={cn(cell, 'sticky right-0 z-10 w-12 px-1 print:invisible')}>
          <Menu
            trigger={
              <button
                type="button"
                tabIndex={tabIndex}
                aria-label={t('table.menuOf', { name })}
                className="grid size-9 place-items-center rounded-full text-ink-3 hover:bg-well hover:text-ink data-popup-open:bg-well pointer-coarse:size-11"
              >
                <MoreHorizontal size={18} />
              </button>
            }
          >
            <RowMenuItems id={row._id} />
          </Menu>
        </td>
      )}
    </>
  )
}
