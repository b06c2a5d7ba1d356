import { CloudOff } from 'lucide-react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from './button.tsx'

export interface FailedStateProps {
  title?: string
  body?: string | undefined
  /** Status and request id, in small print: support asks for them. */
  status?: number
  requestId?: string | null
  /** The page retries automatically. */
  triesAgain?: boolean
  onRetry?: () => void
  isRetrying?: boolean
}

/** An error message with a retry button. */
export function FailedState({
  title,
  body,
  status,
  requestId = null,
  triesAgain = false,
  onRetry,
  isRetrying = false
}: FailedStateProps) {
  const t = useText()
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-4 py-14 text-center">
      <CloudOff aria-hidden="true" size={36} strokeWidth={1.5} className="mb-2 text-ink-3" />
      <p className="text-16 font-semibold">{title ?? t('common.failedTitle')}</p>
      <p className="max-w-md text-14 text-ink-2">
        {body ?? t('common.failedBody')}
        {triesAgain && ` ${t('common.triesAgain')}`}
      </p>
      {onRetry && (
        <Button variant="quiet" className="mt-3" isBusy={isRetrying} onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
      {status !== undefined && (
        <p className="mt-2 text-12 text-ink-3">
          {status}
          {requestId !== null && (
            <>
              {' · '}
              {t('common.request')} <span className="font-mono">{requestId}</span>
            </>
          )}
        </p>
      )}
    </div>
  )
}
