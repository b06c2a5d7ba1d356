import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The favourites of Home before the first one is chosen. */
export function NoFavorites() {
  const t = useText()
  return (
    <EmptyState
      title={t('home.noFavorites')}
      body={t('home.noFavoritesHint')}
      action={
        <LinkButton variant="quiet" to="/user/switches">
          {t('home.chooseFavorites')}
        </LinkButton>
      }
    />
  )
}
