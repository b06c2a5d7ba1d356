import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { DataTableState, Identified } from './use-data-table.ts'

/** The target of a bulk action: rows by id, or all rows that match the list's filter. */
export interface Selected<Row> {
  ids: readonly string[]
  /** The rows of `ids` on this page. */
  rows: readonly Row[]
  isAll: boolean
  count: number
}
export interface BulkAction<Row> {
  id: string
  label: string
  icon: ReactNode
  isMain?: boolean
  /** The action can run on all matching rows, not only on those given by id. */
  takesAll?: boolean
  /** Locks the button while it runs. */
  isBusy?: boolean
  run: (selected: Selected<Row>) => Promise<void> | void
}

export interface SelectionBarProps<Row extends Identified> {
  table: DataTableState<Row>
  total: number
  isTotalCapped: boolean
  rows: readonly Row[]
  actions: readonly BulkAction<Row>[]
  onEnd: () => void
}

/** Shows the number of selected rows and their bulk actions; in the card view it replaces the bottom bar. In a low window it is one line. */
export function SelectionBar<Row extends Identified>(props: SelectionBarProps<Row>) {
  const { table, total, isTotalCapped, rows, actions, onEnd } = props
  const t = useText()
  const bar = useRef<HTMLDivElement>(null)
  const { selection } = table
  if (selection.count === 0) return null
  const selected: Selected<Row> = {
    ids: selection.ids,
    rows: rows.filter(({ _id }) => selection.has(_id)),
    isAll: selection.isAll,
    count: selection.count
  }
  const canTakeAll = actions.some(({ takesAll }) => takesAll === true)
  return (
    <div
      ref={bar}
      role="region"
      data-selection
      tabIndex={-1}
      aria-label={t('table.selection')}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-2xl bg-ink px-4 py-1.5 text-14 text-page shadow-float max-[45rem]:fixed max-[45rem]:inset-x-3 max-[45rem]:bottom-[max(0.75rem,env(safe-area-inset-bottom))] max-[45rem]:z-40 min-[45rem]:mx-6 min-[45rem]:my-2 min-[45rem]:flex-nowrap min-[45rem]:items-start low:flex-nowrap low:overflow-x-auto low:**:shrink-0"
    >
      <div className="contents min-[45rem]:flex min-[45rem]:min-h-11 min-[45rem]:min-w-0 min-[45rem]:flex-1 min-[45rem]:flex-wrap min-[45rem]:items-center min-[45rem]:gap-1">
        <p role="status" className="mr-2 font-semibold">
          {t(selection.isAll && isTotalCapped ? 'table.selectedMoreThan' : 'table.selected', {
            count: selection.count
          })}
        </p>
        {canTakeAll && !selection.isAll && selection.count < total && (
          <button
            type="button"
            onClick={() => {
              selection.selectAll()
              // This button disappears, so the focus moves to the bar with its actions.
              bar.current?.focus()
            }}
            className="min-h-11 rounded-lg px-2 underline underline-offset-4"
          >
            {t(isTotalCapped ? 'table.selectAllFound' : 'table.selectAll', { count: total })}
          </button>
        )}
        <span className="flex-1" />
        {actions
          .filter(({ takesAll }) => takesAll === true || !selection.isAll)
          .map(({ id, label, icon, isMain = false, isBusy = false, run }) => (
            <button
              key={id}
              type="button"
              title={label}
              aria-disabled={isBusy || undefined}
              aria-busy={isBusy || undefined}
              onClick={isBusy ? undefined : () => void run(selected)}
              className={cn(
                'inline-flex min-h-11 items-center gap-2 rounded-control px-2.5 font-medium aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
                isMain ? 'bg-page font-semibold text-ink' : 'hover:bg-page/15'
              )}
            >
              {icon}
              {/* On a phone only the main action has a visible text, the others an icon. */}
              <span className={cn(!isMain && 'max-sm:sr-only')}>{label}</span>
            </button>
          ))}
      </div>
      {/* At the end of the first line, however many lines the actions need; of the last on a phone. */}
      <button
        type="button"
        onClick={onEnd}
        aria-label={t('table.endSelection')}
        title={t('table.endSelection')}
        className="grid size-11 shrink-0 place-items-center rounded-full hover:bg-page/15"
      >
        <X size={18} />
      </button>
    </div>
  )
}
