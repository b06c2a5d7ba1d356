import { useText } from '#web/lib/i18n/use-text.ts'
import { Skeleton, Skeletons } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

/** A heading and a few cards of the usual size while a screen's code is loading. It appears late, so a fast load hides it. */
export function ScreenLoading() {
  const t = useText()
  return (
    <div className="animate-appear-late mx-auto grid w-full max-w-300 gap-6 px-4 py-8 sm:px-6">
      <VisuallyHidden live="polite">{t('common.loading')}</VisuallyHidden>
      <Skeleton className="h-8 w-48" />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
        <Skeletons count={4} className="h-40 rounded-card" />
      </div>
    </div>
  )
}
