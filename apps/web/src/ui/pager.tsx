import { useText } from '#web/lib/i18n/use-text.ts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { Button } from './button.tsx'

export interface PagerProps {
  page: number
  /** The page whose rows are visible. */
  shown: number
  pageSize: number
  total: number
  /** "Showing {from} to {to} of {total} devices". */
  showing: MessageId
  onPage: (page: number) => void
}

/** Shows which rows are visible, with buttons to other pages. Hidden when one page holds all rows. */
export function Pager({ page, shown, pageSize, total, showing, onPage }: PagerProps) {
  const t = useText()
  if (total <= pageSize) return null
  const last = Math.ceil(total / pageSize)
  const from = Math.min((shown - 1) * pageSize + 1, total)
  const to = Math.min(shown * pageSize, total)
  return (
    <nav data-pager aria-label={t('table.paging')} className="flex flex-wrap items-center gap-3 px-4 py-3 sm:px-6">
      <p role="status" className="flex-1 text-14 text-ink-2">
        {t(showing, { from, to, total })}
      </p>
      <Button variant="quiet" isLocked={page <= 1} onClick={() => onPage(page - 1)}>
        {t('table.prev')}
      </Button>
      <Button variant="quiet" isLocked={page >= last} onClick={() => onPage(page + 1)}>
        {t('table.next')}
      </Button>
    </nav>
  )
}
