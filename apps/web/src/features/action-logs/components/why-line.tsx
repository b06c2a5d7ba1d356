import type { ReactNode } from 'react'
import { TextLink } from '#web/ui/link-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isAnswered, useLogs } from '#web/features/action-logs/api/list-logs.ts'
import { causeOfLog, type LogCause } from '#web/features/action-logs/log-cause.ts'
import { whyRow } from '#web/features/action-logs/why-row.ts'
import { CauseIcon } from './cause-icon.tsx'
import { LogWho } from './log-who.tsx'

/** Explains the state of a switch in a few lines, with a link to the log's row. Its space is reserved while it loads. */
export function WhyLine({ switchId }: { switchId: string }) {
  const t = useText()
  const logs = useLogs({ switchId, from: null, day: null }, true)
  if (logs.data === undefined || !isAnswered(logs)) {
    return logs.isError ? (
      <Reason cause="unknown" title={t('logs.failed')} />
    ) : (
      <output className="block">
        <Reason cause="unknown" title={t('logs.asking')}>
          <Skeleton className="h-4 w-48" />
        </Reason>
      </output>
    )
  }
  const why = whyRow(logs.data.rows, switchId)
  if (why === null) return <Reason cause="unknown" title={t('logs.noReason')} />
  return (
    <Reason cause={causeOfLog(why)} title={t('logs.why', { state: why.state ? 'on' : 'off' })}>
      <span className="font-medium">
        <LogWho row={why} />
      </span>
      , <TimeAgo at={why.createdAt} />.{' '}
      <TextLink to={`/user/logs?switch=${switchId}&why=1`}>{t('logs.seeRow')}</TextLink>
    </Reason>
  )
}

/** The usual maximum height: two lines, or three on a phone, where the second one wraps. */
function Reason({ cause, title, children }: { cause: LogCause; title: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-16 items-center gap-3 sm:min-h-11">
      <CauseIcon cause={cause} />
      <div className="min-w-0 text-14">
        <p className="text-ink-3">{title}</p>
        {children !== undefined && <div>{children}</div>}
      </div>
    </div>
  )
}
