import { CloudOff } from 'lucide-react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from './button.tsx'

/** What happened, and try again. */
export function FailedState({
  title,
  body,
  onRetry,
  isRetrying = false
}: {
  title?: string
  body?: string
  onRetry?: () => void
  isRetrying?: boolean
}) {
  const t = useText()
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-4 py-14 text-center">
      <CloudOff aria-hidden="true" size={36} strokeWidth={1.5} className="mb-2 text-ink-3" />
      <p className="text-16 font-semibold">{title ?? t('common.failedTitle')}</p>
      <p className="max-w-md text-14 text-ink-2">{body ?? t('common.failedBody')}</p>
      {onRetry && (
        <Button variant="quiet" className="mt-3" isBusy={isRetrying} onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
    </div>
  )
}
