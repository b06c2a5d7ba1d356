import { listDevices } from '@batti/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import type { FleetCounts } from '#web/lib/records/fleet-counts.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { deviceChips } from '#web/features/staff-devices/health-chips.ts'
import type { Models } from '#web/features/staff-devices/use-models.ts'

interface Filtered {
  filters: Readonly<Record<string, string>>
  query: Record<string, unknown>
  change: (changes: object, filters?: Readonly<Record<string, string>>) => void
}
export interface FilterSheetProps {
  list: Filtered
  models: Models
  /** Returns the number of boards for a chip, given the other filters. */
  countOf: (value: keyof FleetCounts) => number | undefined
}

const own = ['status', 'health', 'hwModel', 'osVersion'] as const
const any = 'any'

/** All filters of the list on one sheet, for phones; its button shows the number of matches. */
export function FilterSheet({ list, models, countOf }: FilterSheetProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const set = own.filter((name) => (list.filters[name] ?? '') !== '').length
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)} className="text-14 font-medium">
        <SlidersHorizontal aria-hidden="true" size={18} />
        {t('staffDevices.filter')}
        {set > 0 && <span className="tabular-nums">{set}</span>}
      </Button>
      {isOpen && <Sheet list={list} models={models} countOf={countOf} onClose={() => setOpen(false)} />}
    </>
  )
}

function Sheet({ list, models, countOf, onClose }: FilterSheetProps & { onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const [draft, setDraft] = useState<Record<string, string>>(() =>
    Object.fromEntries(own.map((name) => [name, list.filters[name] ?? '']))
  )
  const count = useDraftCount(list, draft)
  const setOne = (name: string) => (value: string) => setDraft({ ...draft, [name]: value === any ? '' : value })
  const isChosen = (filter: string, value: string) =>
    value === '' ? draft['status'] === '' && draft['health'] === '' : draft[filter] === value
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t('staffDevices.filter')}
      footer={
        <>
          <Button variant="quiet" onClick={() => setDraft(Object.fromEntries(own.map((name) => [name, ''])))}>
            {t('staffDevices.clear')}
          </Button>
          <Button
            className="flex-1"
            onClick={() => {
              list.change({}, draft)
              onClose()
            }}
          >
            {count === undefined ? t('staffDevices.show') : t('staffDevices.showCount', { count })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 py-2">
        <div role="group" aria-label={t('health.title')} className="flex flex-wrap gap-2">
          {deviceChips.map(({ filter, value, label }) => {
            const known = countOf(value)
            return (
              <Chip
                key={value}
                isOn={isChosen(filter, value)}
                onClick={() => setDraft({ ...draft, status: '', health: '', [filter]: value })}
              >
                {t(label)}
                {known !== undefined && <span className="tabular-nums">{intl.formatNumber(known)}</span>}
              </Chip>
            )
          })}
        </div>
        <Select
          label={t('staffDevices.modelShort')}
          value={draft['hwModel'] === '' ? any : (draft['hwModel'] ?? any)}
          choices={[{ value: any, label: t('staffDevices.anyModel') }, ...models.models]}
          onChange={setOne('hwModel')}
        />
        <Select
          label={t('staffDevices.version')}
          value={draft['osVersion'] === '' ? any : (draft['osVersion'] ?? any)}
          choices={[{ value: any, label: t('staffDevices.anyVersion') }, ...models.versions]}
          onChange={setOne('osVersion')}
        />
      </div>
    </DialogSheet>
  )
}

/** Queries how many boards the filters on the sheet match. */
function useDraftCount(list: Filtered, draft: Readonly<Record<string, string>>): number | undefined {
  const api = useApi()
  const { sort: _sort, ...rest } = list.query
  const query = Object.fromEntries(
    Object.entries({ ...rest, ...draft }).filter(([, value]) => value !== '' && value !== undefined)
  )
  return useQuery({
    queryKey: [...queryKeys.devices, 'count', query],
    queryFn: async ({ signal }) => (await api.call(listDevices, { query: { ...query, limit: 1 }, signal })).total,
    placeholderData: keepPreviousData
  }).data
}
