import { rolloutStates } from '@batti/contracts'
import { useNavigate } from 'react-router-dom'
import { rolloutColumns } from '#web/features/rollouts/rollout-list.tsx'
import { rolloutTitle } from '#web/features/rollouts/rollout-words.ts'
import { useRolloutList } from '#web/features/rollouts/use-rollouts.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { FilterChip } from '#web/ui/filter-chip.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { filterProps } from '#web/lib/lists/filter-props.ts'
import { useUser } from '#web/lib/services.ts'

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** /admin/rollouts and /monitor/rollouts: firmware in stages, and settings of many boards at once. */
export function Screen() {
  const t = useText()
  const user = useUser()
  const navigate = useNavigate()
  const list = useRolloutList()
  const byState = list.answer?.byState
  // Nothing waits for another admin where the server asks for no approval.
  const shownStates = rolloutStates.filter(
    (state) => state !== 'waiting-approval' || list.filters['state'] === state || (byState?.[state] ?? 0) > 0
  )
  const open = (id: string) => void navigate(`/${user?.role ?? 'admin'}/rollouts/${id}`)
  return (
    <ListPage
      title={t('rollouts.title')}
      add={
        user?.role === 'admin' && (
          <AddButton label={t('rollouts.new')} onClick={() => void navigate('/admin/rollouts/new')} />
        )
      }
      list={list}
      columns={rolloutColumns}
      words={{
        showing: 'rollouts.showing',
        search: t('rollouts.search'),
        failed: t('rollouts.loadFailed'),
        empty: t('rollouts.none'),
        emptyHint: t('rollouts.noneHint')
      }}
      tabs={{
        label: t('rollouts.state'),
        filter: 'state',
        tabs: [
          { value: '', label: t('table.all'), count: byState && sumOf(Object.values(byState)) },
          ...shownStates.map((value) => ({
            value,
            label: t(`rollouts.state.${value}`),
            count: byState && (byState[value] ?? 0)
          }))
        ]
      }}
      filters={
        <FilterChip
          label={t('rollouts.kind')}
          {...filterProps(list, 'kind')}
          choices={[
            { value: '', label: t('table.all') },
            { value: 'firmware', label: t('rollouts.kind.firmware') },
            { value: 'settings', label: t('rollouts.kind.settings') }
          ]}
        />
      }
      nameOf={(rollout) => rolloutTitle(t, rollout)}
      onOpen={({ _id }) => open(_id)}
      renderMenu={({ _id }) => <RowMenu onView={() => open(_id)} />}
    />
  )
}
