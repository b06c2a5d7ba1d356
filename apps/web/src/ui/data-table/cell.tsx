import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { valueOf, type Column } from './columns.ts'

/** What stands in a cell: the column's own drawing, or its value. Cut by an ellipsis, whole in its title. */
export function Cell<Row>({ column, row, hasMore }: { column: Column<Row>; row: Row; hasMore: boolean }) {
  const intl = useIntl()
  const value = valueOf(column, row)
  const text =
    typeof value === 'number' ? intl.formatNumber(value) : value === null || value === '' ? '–' : String(value)
  return (
    <>
      <div
        className={cn('truncate', column.isCode === true && 'font-mono text-12')}
        title={typeof value === 'string' && value !== '' ? value : undefined}
      >
        {column.cell?.(row) ?? text}
      </div>
      {hasMore && column.more !== undefined && <div className="truncate text-12 text-ink-3">{column.more(row)}</div>}
    </>
  )
}
