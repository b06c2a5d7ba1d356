import type { PointerEvent } from 'react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { cutText } from './cut-text.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { valueOf, type Column } from './columns.ts'

const titleItself = ({ currentTarget }: PointerEvent<HTMLElement>) => {
  currentTarget.title = currentTarget.textContent
}

/**
 * A table cell: the column's own rendering, or its value. Long text is cut with an ellipsis; the title has the whole
 * value, of which a code may show only a part. A rendering with its own text gets that as its title, read when it is
 * hovered.
 */
export function Cell<Row>({ column, row, hasMore }: { column: Column<Row>; row: Row; hasMore: boolean }) {
  const intl = useIntl()
  const value = valueOf(column, row, useText())
  const text =
    typeof value === 'number' ? intl.formatNumber(value) : value === null || value === '' ? '–' : String(value)
  const isTime = column.isTime === true && typeof value === 'string'
  const isDrawn = isTime || (column.cell !== undefined && column.isCode !== true)
  return (
    <>
      <div
        className={cn(cutText, column.isCode === true && 'font-mono text-12')}
        title={!isDrawn && typeof value === 'string' && value !== '' ? value : undefined}
        onPointerEnter={isDrawn ? titleItself : undefined}
      >
        {column.cell?.(row) ?? (isTime ? <TimeAgo at={value} /> : text)}
      </div>
      {hasMore && column.more !== undefined && <div className="truncate text-12 text-ink-3">{column.more(row)}</div>}
    </>
  )
}
