import type { PointerEvent } from 'react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { valueOf, type Column } from './columns.ts'

const titleItself = ({ currentTarget }: PointerEvent<HTMLElement>) => {
  currentTarget.title = currentTarget.textContent
}

/**
 * What stands in a cell: the column's own drawing, or its value. Cut by an ellipsis, whole in its title: the value, of which a
 * code may show a part; where the drawing has words of its own, those, as they stand when one points at them.
 */
export function Cell<Row>({ column, row, hasMore }: { column: Column<Row>; row: Row; hasMore: boolean }) {
  const intl = useIntl()
  const value = valueOf(column, row)
  const text =
    typeof value === 'number' ? intl.formatNumber(value) : value === null || value === '' ? '–' : String(value)
  const isDrawn = column.cell !== undefined && column.isCode !== true
  return (
    <>
      <div
        className={cn(
          'truncate @max-[14rem]:wrap-anywhere @max-[14rem]:whitespace-normal',
          column.isCode === true && 'font-mono text-12'
        )}
        title={!isDrawn && typeof value === 'string' && value !== '' ? value : undefined}
        onPointerEnter={isDrawn ? titleItself : undefined}
      >
        {column.cell?.(row) ?? text}
      </div>
      {hasMore && column.more !== undefined && <div className="truncate text-12 text-ink-3">{column.more(row)}</div>}
    </>
  )
}
