import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Pager } from '#web/ui/pager.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeletons } from '#web/ui/skeleton.tsx'
import { PlainTimes } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { List } from '#web/lib/lists/use-list.ts'
import { narrowScreen, printMedia, useMedia } from '#web/lib/use-media.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { Column } from './columns.ts'
import { RowActionsOf, type RowUse } from './row-actions.tsx'
import { SelectionBar, type BulkAction } from './selection-bar.tsx'
import { TableCards } from './table-cards.tsx'
import { TableGrid } from './table-grid.tsx'
import { chosenTab, filtersOfTab, type FilterTabRow } from './filter-tab-row.ts'
import { TableStatus, type TableWords } from './table-status.tsx'
import { FilterTabs, TableTools } from './table-tools.tsx'
import type { DataTableState, Identified } from './use-data-table.ts'
import { useShownColumns } from './use-shown-columns.ts'

export interface DataTableProps<Row extends Identified> extends RowUse<Row> {
  label: string
  list: List<Row>
  table: DataTableState<Row>
  columns: readonly Column<Row>[]
  words: TableWords
  /** Exclusive filters of the list as chips with counts. */
  tabs?: FilterTabRow
  /** Further filters, beside the search field. */
  filters?: ReactNode
  bulk?: readonly BulkAction<Row>[]
  /** The buttons that add the first record, below the text of an empty list. */
  emptyActions?: ReactNode
  /** Fills the remaining height of its page. */
  isPage?: boolean
}

/** A list of records with search, sorting, columns, selection and bulk actions; shown as cards on narrow screens. */
export function DataTable<Row extends Identified>(props: DataTableProps<Row>) {
  const { label, list, table, columns, words, tabs, filters, bulk = [], emptyActions, isPage = false, ...use } = props
  const t = useText()
  const isOnPaper = useMedia(printMedia)
  const isNarrow = useMedia(narrowScreen) && !isOnPaper
  const canSelect = bulk.length > 0
  const { address, state } = list
  // That the typed text fits no row of the previous query says nothing of this one.
  const isThere = !state.isPending && !state.isError && (table.rows.length > 0 || !state.isPrevious)
  const shown = useShownColumns(columns, address.columns, { canSelect, hasMenu: use.renderMenu !== undefined })
  const hasGrid = !isNarrow && table.rows.length > 0
  // The rows on which a selection has ended.
  const [endedOn, setEndedOn] = useState<readonly Row[] | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const endSelection = () => {
    const bar = root.current?.querySelector('[data-selection]')
    // When the bar disappears, the focus moves to the active row, or to a card that was selected.
    const next = root.current?.querySelector<HTMLElement>('tr[tabindex="0"], [data-selected] [role=checkbox]')
    if (bar?.contains(document.activeElement) === true) next?.focus({ preventScroll: true })
    table.selection.clear()
    setEndedOn(list.rows)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && table.selection.count > 0) endSelection()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape from anywhere within ends the selection
    <div ref={root} onKeyDown={onKeyDown} className="flex min-w-0 flex-1 flex-col">
      {tabs !== undefined && (
        <FilterTabs
          label={tabs.label}
          value={chosenTab(tabs, list.filters)?.value ?? ''}
          tabs={tabs.tabs}
          onChange={(value) => list.change({}, filtersOfTab(tabs, value))}
          className="-mt-1 pt-1 pb-3 sm:px-6"
        />
      )}
      <TableTools
        typed={table.typed}
        placeholder={words.search}
        onType={table.type}
        onSearch={table.search}
        isSearching={state.isFetching && state.isPrevious}
        density={address.density}
        onDensity={(density) => list.change({ density })}
        filters={filters}
        columnMenu={
          <ColumnMenu columns={columns} shown={shown} onChange={(chosen) => list.change({ columns: chosen })} />
        }
        isNarrow={isNarrow}
        sort={address.sort}
        onSort={(sort) => list.change({ sort, page: 1 })}
        sorts={[
          { value: '', label: t('table.ownOrder') },
          ...columns
            .filter(table.sorting.canSort)
            .map((column) => ({ value: column.sort ?? column.id, label: t(column.label) }))
        ]}
      />
      <div className={cn('flex flex-col', isPage && hasGrid && 'min-h-0 flex-[1_1_22rem]')}>
        <PlainTimes value>
          <QueryView
            query={{ ...state, data: isThere ? list : undefined }}
            failed={words.failed}
            loadingLabel={words.loading}
            loading={<RowsLoading isNarrow={isNarrow} />}
          >
            {() =>
              table.rows.length === 0 ? null : (
                <RowActionsOf rows={table.rows} use={use}>
                  {isNarrow ? (
                    <TableCards
                      {...use}
                      label={label}
                      columns={columns}
                      table={table}
                      canSelect={canSelect}
                      page={list.page}
                      isPrevious={state.isPrevious}
                    />
                  ) : (
                    <TableGrid
                      {...use}
                      label={label}
                      columns={shown}
                      table={table}
                      total={list.total}
                      before={(list.page - 1) * list.pageSize}
                      density={address.density}
                      canSelect={canSelect}
                      isPrevious={state.isPrevious}
                    />
                  )}
                </RowActionsOf>
              )
            }
          </QueryView>
          <TableStatus
            list={list}
            table={table}
            words={words}
            isThere={isThere}
            hasSelectionEnded={endedOn === list.rows}
            emptyActions={emptyActions}
          />
        </PlainTimes>
        <SelectionBar
          table={table}
          total={list.total}
          isTotalCapped={list.isTotalCapped}
          rows={list.rows}
          actions={bulk}
          onEnd={endSelection}
        />
        <Pager
          page={address.page}
          shown={list.page}
          pageSize={list.pageSize}
          total={list.total}
          showing={words.showing}
          onPage={(page) => list.change({ page })}
        />
      </div>
    </div>
  )
}

function RowsLoading({ isNarrow }: { isNarrow: boolean }) {
  return (
    <div className={isNarrow ? 'grid gap-2.5 px-4' : 'grid gap-px border-t border-line px-6 pt-9'}>
      <Skeletons count={8} className={isNarrow ? 'h-28 rounded-2xl' : 'my-1.5 h-7.25'} />
    </div>
  )
}
