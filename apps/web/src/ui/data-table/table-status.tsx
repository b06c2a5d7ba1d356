import { Inbox, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MessageId } from '#web/i18n/message-id.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isFilteredList, type List } from '#web/lib/lists/use-list.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import type { DataTableState, Identified } from './use-data-table.ts'

export interface TableWords {
  /** "Showing {from} to {to} of {total} devices". */
  showing: MessageId
  /** Placeholder of the search field: "Search by name". */
  search: string
  failed: string
  loading?: string
  empty: string
  /** Replaces `empty` when only a filter, without search text, matches nothing. */
  emptyOfFilter?: string | undefined
  emptyHint?: string
}

export interface TableStatusProps<Row extends Identified> {
  list: List<Row>
  table: DataTableState<Row>
  words: TableWords
  /** Whether there is an answer to show. */
  isThere: boolean
  /** Whether a selection of the shown rows has ended. */
  hasSelectionEnded: boolean
  emptyActions: ReactNode
}

/** What an empty list shows instead of rows, and what screen readers are told of the others. */
export function TableStatus<Row extends Identified>(props: TableStatusProps<Row>) {
  const { list, table, words, isThere, hasSelectionEnded, emptyActions } = props
  const t = useText()
  const { state } = list
  const isFiltered = isFilteredList(list)
  const clearFilters = () => {
    table.type('')
    list.change({ search: '', filter: '' }, Object.fromEntries(Object.keys(list.filters).map((name) => [name, ''])))
  }
  // Of more than one page the pager announces which rows are shown.
  const announcement = () => {
    const { length } = table.rows
    if (table.isFiltered) return t('table.shownOf', { shown: length, total: list.total })
    if (hasSelectionEnded && table.selection.count === 0) return t('table.selected', { count: 0 })
    const isNew = isFiltered && !state.isPrevious && list.total <= list.pageSize
    return isNew && t(words.showing, { from: 1, to: length, total: list.total })
  }
  const content = () => {
    if (table.rows.length > 0) return <VisuallyHidden>{announcement()}</VisuallyHidden>
    if (isFiltered || list.rows.length > 0) {
      return (
        <EmptyState
          drawing={<SearchX size={40} strokeWidth={1.4} />}
          title={(table.typed === '' ? words.emptyOfFilter : undefined) ?? words.empty}
          body={t(list.address.search === '' ? 'table.noneOfFilter' : 'table.noneOfSearch')}
          action={
            <Button variant="quiet" onClick={clearFilters}>
              {t('table.clearFilter')}
            </Button>
          }
        />
      )
    }
    return (
      <EmptyState
        drawing={<Inbox size={40} strokeWidth={1.4} />}
        title={words.empty}
        body={words.emptyHint}
        action={emptyActions}
      />
    )
  }
  return <div role="status">{isThere && content()}</div>
}
