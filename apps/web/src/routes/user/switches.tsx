import type { SwitchRecord } from '@batti/contracts'
import { Search, SearchX, ToggleRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailedState } from '#web/ui/failed-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { SwitchGrid, SwitchGridLoading } from '#web/features/switches/components/switch-grid.tsx'
import { filterSwitches, type SwitchFilter } from '#web/features/switches/filter-switches.ts'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'
import { useFollowBoards } from '#web/routes/parts/use-follow-boards.ts'

/** /user/switches. */
export function Screen() {
  const t = useText()
  const switches = useSwitches()
  useFollowBoards()
  return (
    <Page
      title={t('switches.title')}
      aside={switches.data !== undefined && t('switches.count', { count: switches.data.length })}
    >
      {switches.isPending ? (
        <SwitchGridLoading columns="fitting" count={12} />
      ) : switches.isError ? (
        <FailedState
          title={errorMessage(switches.error, t('switches.failed')) ?? t('switches.failed')}
          isRetrying={switches.isFetching}
          onRetry={() => void switches.refetch()}
        />
      ) : switches.data.length === 0 ? (
        <EmptyState
          drawing={<ToggleRight size={40} strokeWidth={1.5} />}
          title={t('switches.none')}
          body={t('switches.noneHint')}
          action={
            <LinkButton to="/user/devices/new" reloadDocument>
              {t('devices.add')}
            </LinkButton>
          }
        />
      ) : (
        <AllSwitches records={switches.data} />
      )}
    </Page>
  )
}

const filters = ['all', 'on', 'offline'] as const satisfies SwitchFilter[]

function AllSwitches({ records }: { records: readonly SwitchRecord[] }) {
  const t = useText()
  const addSchedule = useAddSchedule()
  const [text, setText] = useState('')
  const [filter, setFilter] = useState<SwitchFilter>('all')
  const macs = [...new Set(records.map(({ deviceMac }) => deviceMac))]
  const lives = useLiveStates(macs)
  const shown = filterSwitches(records, { text, filter, liveOf: (mac) => lives[macs.indexOf(mac)] })
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end gap-3">
        <TextField
          type="search"
          label={t('switches.search')}
          className="w-full sm:w-80"
          before={<Search aria-hidden="true" size={18} />}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex gap-2 py-0.5">
          {filters.map((each) => (
            <Chip key={each} isOn={each === filter} onClick={() => setFilter(each)}>
              {t(`switches.filter.${each}`)}
            </Chip>
          ))}
        </div>
      </div>
      {shown.length === 0 ? (
        <EmptyState
          drawing={<SearchX size={40} strokeWidth={1.5} />}
          title={t('switches.noMatch')}
          body={t('switches.noMatchHint')}
          action={
            <Button
              variant="quiet"
              onClick={() => {
                setText('')
                setFilter('all')
              }}
            >
              {t('switches.showAll')}
            </Button>
          }
        />
      ) : (
        <SwitchGrid
          columns="fitting"
          command="mac"
          label={t('switches.title')}
          records={shown}
          onAddSchedule={addSchedule.open}
        />
      )}
      {addSchedule.dialog}
    </>
  )
}
