import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { saveTable } from '#web/lib/save-table.ts'
import { isFilteredList } from '#web/lib/lists/use-list.ts'
import { useServices } from '#web/lib/services.ts'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from './button.tsx'
import { DataTable, type DataTableProps } from './data-table/data-table.tsx'
import { useDataTable, type Identified } from './data-table/use-data-table.ts'
import { PageFrame } from './page-frame.tsx'

export interface ListPageProps<Row extends Identified> extends Omit<
  DataTableProps<Row>,
  'label' | 'table' | 'isPage' | 'emptyActions'
> {
  title: string
  /** Replaces the plain count beside the title. */
  aside?: ReactNode
  /** The page's other buttons. */
  actions?: ReactNode
  /** The buttons that add a record, the main one last. An empty list has them below its text. */
  add?: ReactNode
  /** Between the header and the table. */
  before?: ReactNode
  /** Dialogs of the page. */
  children?: ReactNode
}

/** A page with one list: its title and count, Export CSV, an add button, and the table. */
export function ListPage<Row extends Identified>(props: ListPageProps<Row>) {
  const { title, aside, actions, add, before, children, ...use } = props
  const t = useText()
  const intl = useIntl()
  const { clock } = useServices()
  const { list } = use
  const table = useDataTable(list, use.columns)
  const isThere = !list.state.isPending && !list.state.isError
  const isEmpty = isThere && list.rows.length === 0 && !isFilteredList(list)
  const [share, setShare] = useState<number | null>(null)
  const exporting = useSave(
    async () => {
      try {
        saveTable(await list.exportCsv(setShare), `${list.name}.csv`, clock)
      } finally {
        setShare(null)
      }
    },
    { failed: t('table.exportFailed'), isRead: true }
  )
  return (
    <PageFrame
      title={title}
      // Fills the window below the header, so that the table ends above its selection bar and pager, and these above the
      // pill of the quick navigation, which is in the side bar on larger screens.
      className="flex flex-col min-[45rem]:min-h-[calc(100dvh-5.25rem)] min-[45rem]:pb-22 lg:pb-0 print:min-h-0!"
      aside={
        aside ??
        (!isThere
          ? '–'
          : table.isFiltered
            ? t('table.countOf', { shown: table.rows.length, total: list.total })
            : list.isTotalCapped
              ? t('table.moreThan', { count: list.total })
              : intl.formatNumber(list.total))
      }
      actions={
        <>
          <Button
            variant="ghost"
            isBusy={exporting.isSaving}
            onClick={() => void exporting.save()}
            className="text-14 font-medium"
          >
            <Download aria-hidden="true" size={18} />
            <span className="max-sm:sr-only">{t('table.export')}</span>
            {share !== null && <span className="tabular-nums">{intl.formatNumber(share, { style: 'percent' })}</span>}
          </Button>
          {actions}
          {/* Not shown before its place is known: of an empty list it is below the text, and would move under the finger. */}
          {!isEmpty && add && (
            <div className={cn('flex flex-wrap gap-2', list.state.isPending && 'invisible')}>{add}</div>
          )}
        </>
      }
    >
      {before}
      <DataTable {...use} table={table} label={title} emptyActions={add} isPage />
      {children}
    </PageFrame>
  )
}
