import { Heart } from 'lucide-react'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailedState } from '#web/ui/failed-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { useFavorites } from '#web/features/switches/api/list-favorites.ts'
import { SwitchGrid, SwitchGridLoading } from '#web/features/switches/components/switch-grid.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'
import { useFollowBoards } from '#web/routes/parts/use-follow-boards.ts'

/** /user/favorite-switches. */
export function Screen() {
  const t = useText()
  const favorites = useFavorites()
  const addSchedule = useAddSchedule()
  useFollowBoards()
  return (
    <Page
      title={t('favorites.title')}
      aside={favorites.data !== undefined && t('switches.count', { count: favorites.data.length })}
    >
      {favorites.isPending ? (
        <SwitchGridLoading columns="fitting" />
      ) : favorites.isError ? (
        <FailedState
          title={errorMessage(favorites.error, t('switches.failed')) ?? t('switches.failed')}
          isRetrying={favorites.isFetching}
          onRetry={() => void favorites.refetch()}
        />
      ) : favorites.data.length === 0 ? (
        <EmptyState
          drawing={<Heart size={40} strokeWidth={1.4} />}
          title={t('favorites.none')}
          body={t('favorites.noneHint')}
          action={<LinkButton to="/user/switches">{t('favorites.choose')}</LinkButton>}
        />
      ) : (
        <SwitchGrid
          columns="fitting"
          command="mac"
          label={t('favorites.title')}
          records={favorites.data}
          onAddSchedule={addSchedule.open}
        />
      )}
      {addSchedule.dialog}
    </Page>
  )
}
