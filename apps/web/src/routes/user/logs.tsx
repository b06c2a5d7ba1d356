import { useSearchParams } from 'react-router-dom'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Page } from '#web/ui/page.tsx'
import { ClearLogsButton } from '#web/features/action-logs/components/clear-logs-button.tsx'
import { LogFilterBar } from '#web/features/action-logs/components/log-filter-bar.tsx'
import { LogList } from '#web/features/action-logs/components/log-list.tsx'
import { readFilters, writeFilters } from '#web/features/action-logs/log-filters.ts'
import { LastDayStrips } from '#web/features/on-times/components/last-day-strips.tsx'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { switchTitle } from '#web/features/switches/switch-name.ts'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useFollowBoards } from '#web/routes/parts/use-follow-boards.ts'

/** /user/logs: Switch Action Logs, filtered by `?switch=`, `?from=` and `?day=`; `?why=1` scrolls to the row that says why. */
export function Screen() {
  const t = useText()
  useFollowBoards()
  const [params, setParams] = useSearchParams()
  const switches = useSwitches()
  const filters = readFilters(params)
  const named = (switches.data ?? []).map((record) => ({
    id: record._id,
    name: dotted(switchTitle(t, record), record.deviceName)
  }))
  return (
    <Page title={t('logs.title')} actions={<ClearLogsButton />}>
      <div className="grid grid-cols-1 gap-x-10 gap-y-5 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 max-lg:order-2">
          <LogFilterBar
            filters={filters}
            switches={named}
            onChange={(next) => setParams(writeFilters(next), { replace: true })}
          />
          <LogList filters={filters} isWhy={params.get('why') !== null} />
        </div>
        <Disclosure title={t('onTime.lastDay')} className="lg:sticky lg:top-24">
          <LastDayStrips linkTo={(id) => `/user/switches/${id}`} />
        </Disclosure>
      </div>
    </Page>
  )
}
