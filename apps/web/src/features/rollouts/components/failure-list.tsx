import type { RolloutRecord, SharedTrait, UpdateErrorCode } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { Button } from '#web/ui/button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useIsAdmin } from '#web/lib/session/use-is-admin.ts'

export interface FailureListProps {
  failures: RolloutRecord['failures']
  /** Null for people who may only view, and if nothing can be retried. */
  onRetry: ((reason: UpdateErrorCode) => void) | null
  isBusy: boolean
}

/** Why boards failed, most frequent first, with a retry per reason if that may help. */
export function FailureList({ failures, onRetry, isBusy }: FailureListProps) {
  const t = useText()
  const intl = useIntl()
  return (
    <ul className="grid">
      {failures.map(({ code, count, retryable, common = [] }) => (
        <li key={code} className="flex min-h-14 items-center gap-4 border-t border-line py-2 text-14 first:border-t-0">
          <span className="min-w-6 text-20 font-semibold text-danger tabular-nums">{intl.formatNumber(count)}</span>
          <div className="min-w-0 flex-1">
            <p className="font-medium">{t(`updateError.${code}`)}</p>
            {common.map((trait) => (
              <p key={trait.what} className="text-ink-2">
                <CommonTrait {...trait} isAll={trait.count === count} />
              </p>
            ))}
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

/** What the failed boards have in common: a model, an owner, a weak signal. */
function CommonTrait({ what, value, count, isAll }: SharedTrait & { isAll: boolean }) {
  const t = useText()
  const isStaffAdmin = useIsAdmin()
  const text = t(isAll ? `rollouts.common.${what}.all` : `rollouts.common.${what}.some`, { value, count })
  if (what !== 'owner' || !isStaffAdmin) return text
  return (
    <Link to={`/admin/users/${value}`} className="underline underline-offset-2">
      {text}
    </Link>
  )
}
