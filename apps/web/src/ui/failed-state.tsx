import { CloudOff } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
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
  /** One part of a page, beside others: a low line. */
  isPart?: boolean
}

/** An error message with a retry button. */
export function FailedState({
  title,
  body,
  status,
  requestId = null,
  triesAgain = false,
  onRetry,
  isRetrying = false,
  isPart = false
}: FailedStateProps) {
  const t = useText()
  return (
    <div
      role="alert"
      className={
        isPart
          ? 'flex flex-wrap items-center gap-x-3 gap-y-2 py-3'
          : 'grid justify-items-center gap-2 px-4 py-14 text-center'
      }
    >
      <CloudOff
        aria-hidden="true"
        size={isPart ? 20 : 36}
        strokeWidth={1.5}
        className={cn('shrink-0 text-ink-3', isPart ? 'mt-0.5 self-start' : 'mb-2')}
      />
      <div className={isPart ? 'min-w-0 flex-1 basis-40' : 'grid justify-items-center gap-2'}>
        <p className={cn('font-semibold', isPart ? 'text-14' : 'text-16')}>{title ?? t('common.failedTitle')}</p>
        <p className="max-w-md text-14 text-ink-2">
          {body ?? t('common.failedBody')}
          {triesAgain && ` ${t('common.triesAgain')}`}
        </p>
        {isPart && <Facts status={status} requestId={requestId} />}
      </div>
      {onRetry && (
        <Button variant="quiet" className={cn(!isPart && 'mt-3')} isBusy={isRetrying} onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
      {!isPart && <Facts status={status} requestId={requestId} className="mt-2" />}
    </div>
  )
}

function Facts({
  status,
  requestId,
  className
}: {
  status: number | undefined
  requestId: string | null
  className?: string
}) {
  const t = useText()
  if (status === undefined) return null
  return (
    <p className={cn('text-12 text-ink-3', className)}>
      {status}
      {requestId !== null && (
        <>
          {' · '}
          {t('common.request')} <span className="font-mono wrap-anywhere">{requestId}</span>
        </>
      )}
    </p>
  )
}
