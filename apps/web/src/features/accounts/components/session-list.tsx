import type { SessionRecord } from '@batti/contracts'
import { Laptop, Smartphone } from 'lucide-react'
import { useId } from 'react'
import { useIntl } from 'react-intl'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useEndSession } from '#web/features/accounts/api/end-session.ts'
import { placeOf } from '#web/lib/records/session-name.ts'
import { useSessionName } from '#web/lib/records/use-session-name.ts'

interface SessionListProps {
  sessions: readonly SessionRecord[]
  /** Whether all sessions are listed. */
  isAll?: boolean
  /** One level below the heading above the list. */
  heading?: 'h2' | 'h3'
}

function SessionRow({
  session,
  heading: Heading = 'h2'
}: { session: SessionRecord } & Pick<SessionListProps, 'heading'>) {
  const t = useText()
  const intl = useIntl()
  const times = useId()
  const place = placeOf(session.userAgent)
  const name = useSessionName()(session.userAgent)
  const Icon = place.isPhone ? Smartphone : Laptop
  const ending = useSave(useEndSession().mutateAsync, {
    done: t('sessions.ended', { name }),
    failed: t('sessions.endFailed')
  })
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:px-5">
      <span aria-hidden="true" className="grid size-11 shrink-0 place-items-center rounded-full bg-well text-ink-2">
        <Icon size={20} />
      </span>
      <div className="min-w-0 flex-1 basis-52">
        <Heading className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          {name}
          {session.current && (
            <Badge tone="ok" hasDot>
              {t('sessions.current')}
            </Badge>
          )}
        </Heading>
        <p id={times} className="text-14 text-ink-2">
          {t('sessions.lastUsed')} <TimeAgo at={session.lastUsedAt} />
        </p>
        <p className="text-14 text-ink-3">
          {t('sessions.since', {
            date: intl.formatDate(session.createdAt, { day: 'numeric', month: 'short', year: 'numeric' })
          })}
          {session.ip !== '' && ` · ${t('sessions.address', { ip: session.ip })}`}
        </p>
      </div>
      {!session.current && (
        <Button
          variant="quiet"
          isBusy={ending.isSaving}
          aria-label={t('sessions.endOf', { name })}
          aria-describedby={times}
          onClick={() => void ending.save(session.id)}
        >
          {t('sessions.end')}
        </Button>
      )}
    </Card>
  )
}

/** Lists the sessions of the account. This one has no button, as Logout is in the header's menu. */
export function SessionList({ sessions, isAll = true, heading = 'h2' }: SessionListProps) {
  const t = useText()
  return (
    <>
      <ul className="grid gap-3">
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionRow session={session} heading={heading} />
          </li>
        ))}
      </ul>
      {isAll && sessions.length === 1 && <p className="mt-4 text-ink-2">{t('sessions.only')}</p>}
    </>
  )
}
