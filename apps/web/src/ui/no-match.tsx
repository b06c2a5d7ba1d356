import { SearchX } from 'lucide-react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** In place of a list of which nothing matches. */
export function NoMatch({ hint, onShowAll }: { hint: string; onShowAll: () => void }) {
  const t = useText()
  return (
    <EmptyState
      drawing={<SearchX size={40} strokeWidth={1.5} />}
      title={t('switches.noMatch')}
      body={hint}
      action={
        <Button variant="quiet" onClick={onShowAll}>
          {t('switches.showAll')}
        </Button>
      }
    />
  )
}
