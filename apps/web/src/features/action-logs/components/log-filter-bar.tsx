import { changeSources } from '@batti/contracts'
import { X } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '#web/ui/button.tsx'
import { FilterChip } from '#web/ui/filter-chip.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useTypedDate } from '#web/lib/form/use-typed-date.ts'
import { showWhole } from '#web/lib/show-whole.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { wallDate } from '#web/lib/i18n/wall-clock.ts'
import { useIntl } from 'react-intl'
import { periods, readFilters, type LogFilters } from '#web/features/action-logs/log-filters.ts'

const someDay = 'some-day'

export interface LogFilterBarProps {
  filters: LogFilters
  switches: readonly { id: string; name: string }[]
  onChange: (filters: LogFilters) => void
}

/** Filters the log by switch, cause and date. */
export function LogFilterBar({ filters, switches, onChange }: LogFilterBarProps) {
  const t = useText()
  const intl = useIntl()
  const { switchId, from, day } = filters
  const date = day === null || periods.some((period) => period === day) ? null : day
  // Chosen, but without a date yet: the address knows nothing of it.
  const [isDateOpen, setDateOpen] = useState(false)
  const hasDate = date !== null || (isDateOpen && day === null)
  const typed = useTypedDate(date ?? '', (value) => {
    setDateOpen(value === '')
    onChange({ ...filters, day: value === '' ? null : value })
  })
  // Its board may have been removed, or the names may still be loading: the log is filtered all the same.
  const isUnnamed = switchId !== null && switches.every(({ id }) => id !== switchId)
  const isFiltered = switchId !== null || from !== null || day !== null
  const dayText = date === null ? t('logs.someDay') : wallDate(intl, date, true)
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="sr-only">{t('logs.filters')}</legend>
      <div
        onFocus={showWhole}
        className="-mx-4 flex scroll-px-4 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0"
      >
        <FilterChip
          label={t('logs.filter.switch')}
          value={switchId ?? ''}
          choices={[
            { value: '', label: t('logs.allSwitches') },
            ...switches.map(({ id, name }) => ({ value: id, label: name })),
            ...(isUnnamed ? [{ value: switchId, label: t('logs.oneSwitch') }] : [])
          ]}
          onChange={(value) => onChange({ ...filters, switchId: value === '' ? null : value })}
        />
        <FilterChip
          label={t('logs.filter.cause')}
          value={from ?? ''}
          choices={[
            { value: '', label: t('logs.allCauses') },
            ...changeSources.map((source) => ({ value: source, label: t(`logs.source.${source}`) }))
          ]}
          onChange={(value) => onChange({ ...filters, from: changeSources.find((source) => source === value) ?? null })}
        />
        <FilterChip
          label={t('logs.filter.date')}
          value={hasDate ? someDay : (day ?? '')}
          choices={[
            { value: '', label: t('logs.allTime') },
            ...periods.map((period) => ({ value: period, label: t(`logs.period.${period}`) })),
            { value: someDay, label: dayText }
          ]}
          onChange={(value) => {
            setDateOpen(value === someDay)
            onChange({ ...filters, day: value === '' || value === someDay ? null : value })
          }}
        />
        {isFiltered && (
          <button
            type="button"
            className={buttonClass({ variant: 'ghost', className: 'shrink-0 text-14' })}
            onClick={() => {
              setDateOpen(false)
              onChange(readFilters(new URLSearchParams()))
            }}
          >
            <X aria-hidden="true" size={16} />
            {t('logs.noFilters')}
          </button>
        )}
      </div>
      {hasDate && <TextField type="date" label={t('logs.someDay')} className="max-w-60" {...typed} />}
    </fieldset>
  )
}
