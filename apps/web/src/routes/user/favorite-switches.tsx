import { Heart } from 'lucide-react'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Page } from '#web/ui/page.tsx'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'
import { useFavorites } from '#web/features/switches/api/list-favorites.ts'
import { SwitchGrid, SwitchGridLoading } from '#web/features/switches/components/switch-grid.tsx'
import { listFailed } from '#web/features/switches/list-failed.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useFocusNext } from '#web/lib/lists/use-focus-next.ts'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'
import { useFollowBoards } from '#web/routes/parts/use-follow-boards.ts'

/** /user/favorite-switches. */
export function Screen() {
  const t = useText()
  const favorites = useFavorites()
  const addSchedule = useAddSchedule()
  const since = useOnSince()
  useFollowBoards()
  return (
    <Page
      title={t('favorites.title')}
      aside={favorites.data !== undefined && t('switches.count', { count: favorites.data.length })}
    >
      <div {...useFocusNext()}>
        <QueryView
          query={favorites}
          failed={listFailed(t, favorites.error)}
          loading={<SwitchGridLoading columns="fitting" />}
          isEmpty={(records) => records.length === 0}
          empty={
            <EmptyState
              drawing={<Heart size={40} strokeWidth={1.4} />}
              title={t('favorites.none')}
              body={t('favorites.noneHint')}
              action={<LinkButton to="/user/switches">{t('favorites.choose')}</LinkButton>}
            />
          }
        >
          {(records) => (
            <SwitchGrid
              columns="fitting"
              command="mac"
              label={t('favorites.title')}
              records={records}
              since={since}
              onAddSchedule={addSchedule.open}
            />
          )}
        </QueryView>
      </div>
      {addSchedule.dialog}
    </Page>
  )
}
