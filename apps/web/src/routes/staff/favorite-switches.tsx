import { favoriteColumns, useFavoriteList } from '#web/features/staff-switches/switch-list.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { StaffSwitchesPage } from '#web/routes/parts/staff-switches-page.tsx'

/** /admin/favorite-switches and /monitor/favorite-switches. */
export function Screen() {
  const t = useText()
  return (
    <StaffSwitchesPage
      title={t('staffSwitches.favorites')}
      list={useFavoriteList()}
      columns={favoriteColumns}
      words={{
        showing: 'staffSwitches.showing',
        search: t('staffSwitches.searchFavorites'),
        loading: t('staffSwitches.loading'),
        failed: t('staffSwitches.favoritesFailed'),
        empty: t('staffSwitches.noFavorites')
      }}
    />
  )
}
