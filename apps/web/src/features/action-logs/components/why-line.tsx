import { TextLink } from '#web/ui/link-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLogs } from '#web/features/action-logs/api/list-logs.ts'
import { causeOfLog } from '#web/features/action-logs/log-cause.ts'
import { whyRow } from '#web/features/action-logs/why-row.ts'
import { CauseIcon } from './cause-icon.tsx'
import { LogWho } from './log-who.tsx'

/** Why a switch is as it is, in one line, and the way to that row of the log. */
export function WhyLine({ switchId }: { switchId: string }) {
  const t = useText()
  const logs = useLogs({ switchId, from: null, day: null })
  if (logs.isPending) return <Skeleton className="h-11 max-w-96" />
  const why = whyRow(logs.data?.rows ?? [], switchId)
  if (why === null) return <p className="text-14 text-ink-2">{t('logs.noReason')}</p>
  return (
    <div className="flex items-center gap-3">
      <CauseIcon cause={causeOfLog(why)} />
      <p className="min-w-0 text-14">
        <span className="block text-ink-3">{t('logs.why', { state: why.state ? 'on' : 'off' })}</span>
        <span className="font-medium">
          <LogWho row={why} />
        </span>
        , <TimeAgo at={why.createdAt} />.{' '}
        <TextLink to={`/user/logs?switch=${switchId}&why=1`}>{t('logs.seeRow')}</TextLink>
      </p>
    </div>
  )
}
