import type { RolloutRecord, UpdateErrorCode } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { Button } from '#web/ui/button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

export interface FailureListProps {
  failures: RolloutRecord['failures']
  /** Null for those who only look, and where nothing can be tried any more. */
  onRetry: ((reason: UpdateErrorCode) => void) | null
  isBusy: boolean
}

/** Why boards failed, most first; what another try may mend can be tried again, reason by reason. */
export function FailureList({ failures, onRetry, isBusy }: FailureListProps) {
  const t = useText()
  const intl = useIntl()
  return (
    <ul className="grid">
      {failures.map(({ code, count, retryable }) => (
        <li key={code} className="flex min-h-14 items-center gap-4 border-t border-line py-2 text-14 first:border-t-0">
          <span className="min-w-6 text-20 font-semibold text-danger tabular-nums">{intl.formatNumber(count)}</span>
          <div className="min-w-0 flex-1">
            <p className="font-medium">{t(`updateError.${code}`)}</p>
            {!retryable && <p className="text-ink-3">{t('rollouts.noRetry')}</p>}
          </div>
          {retryable && onRetry !== null && (
            <Button variant="quiet" className="text-14" isBusy={isBusy} onClick={() => onRetry(code)}>
              {t('rollouts.retry', { count })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
