import { ListFilter, Rows2, Rows3, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { Button } from '#web/ui/button.tsx'
import { FilterChip } from '#web/ui/filter-chip.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { showWhole } from '#web/lib/show-whole.ts'
import type { Density } from '#web/lib/lists/list-address.ts'

export interface FilterTab {
  /** '' for all. */
  value: string
  /** The filter to set, if it differs from that of the row. */
  filter?: string
  label: string
  /** The number of matching rows, if known. */
  count?: number | undefined
}

/** An exclusive filter as chips with counts; the chosen one is filled. */
export function FilterTabs({
  label,
  value,
  tabs,
  onChange,
  className
}: {
  label: string
  value: string
  tabs: readonly FilterTab[]
  onChange: (value: string) => void
  className: string
}) {
  const intl = useIntl()
  return (
    <div onFocus={showWhole} className={cn('flex scroll-px-4 overflow-x-auto px-4 [scrollbar-width:none]', className)}>
      <div role="group" aria-label={label} className="flex gap-2">
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            aria-pressed={tab.value === value}
            onClick={() => onChange(tab.value)}
            className={cn(
              'inline-flex min-h-9 shrink-0 items-center gap-1.5 rounded-full border px-3.5 text-14 whitespace-nowrap transition-colors duration-160 pointer-coarse:min-h-11',
              tab.value === value
                ? 'border-transparent bg-ink font-semibold text-page'
                : 'border-edge text-ink-2 hover:bg-well hover:text-ink'
            )}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tabular-nums">{intl.formatNumber(tab.count)}</span>}
          </button>
        ))}
      </div>
    </div>
  )
}

export interface TableToolsProps {
  typed: string
  placeholder: string
  onType: (typed: string) => void
  onSearch: () => void
  isSearching: boolean
  density: Density
  onDensity: (density: Density) => void
  /** Chips beside the search field. */
  filters?: ReactNode
  columnMenu: ReactNode
  /** Sort choices for a phone, where there is no table head. */
  sorts: readonly { value: string; label: string }[]
  sort: string
  onSort: (sort: string) => void
  isNarrow: boolean
}

/** The tools above the rows: text filter, search on the server, columns and density. */
export function TableTools(props: TableToolsProps) {
  const t = useText()
  const { typed, placeholder, onType, onSearch, isSearching, density, onDensity, filters, columnMenu } = props
  const isCompact = density === 'compact'
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-3 sm:px-6 print:hidden">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch()
        }}
        // On a phone the search field has its own line, and its button is beside the filters.
        className={props.isNarrow ? 'contents' : 'flex min-w-0 flex-1 basis-72 gap-2 sm:max-w-128'}
      >
        <label className={cn('relative min-w-0 flex-1', props.isNarrow && 'basis-full')}>
          <span className="sr-only">{placeholder}</span>
          <ListFilter aria-hidden="true" size={18} className="absolute top-1/2 left-3 -translate-y-1/2 text-ink-3" />
          <input
            type="search"
            value={typed}
            placeholder={placeholder}
            maxLength={200}
            onChange={(event) => onType(event.target.value)}
            className="min-h-11 w-full rounded-control border border-edge bg-card pr-3 pl-10 text-16 text-ellipsis focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent sm:text-14"
          />
        </label>
        {/* Not locked: a search for a longer text replaces the one that is under way. */}
        <Button
          type="submit"
          variant="quiet"
          isBusy={isSearching}
          isLocked={false}
          className="text-14 whitespace-nowrap"
        >
          <Search aria-hidden="true" size={18} />
          {t('table.searchApi')}
        </Button>
      </form>
      {props.isNarrow && props.sorts.length > 1 && (
        <FilterChip label={t('table.sortBy')} value={props.sort} choices={props.sorts} onChange={props.onSort} />
      )}
      {filters}
      {!props.isNarrow && (
        <>
          <Button
            variant="quiet"
            aria-pressed={!isCompact}
            aria-label={t('table.comfortable')}
            title={t('table.comfortable')}
            onClick={() => onDensity(isCompact ? 'comfortable' : 'compact')}
            className="ml-auto w-11 px-0 aria-pressed:bg-well"
          >
            {isCompact ? <Rows3 size={18} /> : <Rows2 size={18} />}
          </Button>
          {columnMenu}
        </>
      )}
    </div>
  )
}
