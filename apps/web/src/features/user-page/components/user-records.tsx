import type { AuditLogRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { LinesPart } from '#web/ui/lines-part.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLogSentence } from '#web/lib/records/use-log-sentence.ts'
import { useChangesOf, useLogsOf, useSessionsOf } from '#web/features/user-page/user-queries.ts'
import type { PartOfUser } from './user-boards.tsx'

export function UserLogs({ userId, pathOf }: PartOfUser) {
  const t = useText()
  const sentenceOf = useLogSentence()
  return (
    <LinesPart
      title={t('userPage.logs')}
      query={useLogsOf(userId)}
      totalOf={({ total }) => total}
      all={pathOf(`logs?userId=${userId}`)}
      failed={t('userPage.logsFailed')}
      empty={t('userPage.noLogs')}
      linesOf={({ logs }) =>
        logs.map((log) => ({
          id: log._id,
          title: sentenceOf(log),
          more: t(`logs.from.${log.from}`),
          end: <TimeAgo at={log.createdAt} />
        }))
      }
    />
  )
}

export interface UserChangesProps extends PartOfUser {
  renderAction: (log: AuditLogRecord) => ReactNode
  fieldWords: (field: string) => string
  targetWords: (log: AuditLogRecord) => string
  onOpen: (log: AuditLogRecord) => void
}

/** Entries of the audit log: what they changed, and what was changed in their account. */
export function UserChanges({ userId, pathOf, renderAction, fieldWords, targetWords, onOpen }: UserChangesProps) {
  const t = useText()
  return (
    <LinesPart
      title={t('userPage.changes')}
      query={useChangesOf(userId)}
      all={pathOf(`audit-logs?actor=${userId}`)}
      failed={t('userPage.changesFailed')}
      empty={t('userPage.noChanges')}
      linesOf={(logs) =>
        logs.map((log) => ({
          id: log._id,
          title: renderAction(log),
          more: dotted(log.actor.name, targetWords(log), log.changes.map(({ field }) => fieldWords(field)).join(', ')),
          end: <AtMoment at={log.at} />,
          onOpen: () => onOpen(log)
        }))
      }
    />
  )
}

/** Plain text, for a line that is a button itself. */
function AtMoment({ at }: { at: string }) {
  const intl = useIntl()
  return (
    <time dateTime={at}>
      {intl.formatDate(at, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}
    </time>
  )
}

export interface UserSessionsProps {
  userId: string
  /** Formats the browser and system of a `User-Agent`. */
  nameOf: (userAgent: string) => string
}

export function UserSessions({ userId, nameOf }: UserSessionsProps) {
  const t = useText()
  return (
    <LinesPart
      title={t('userPage.sessions')}
      query={useSessionsOf(userId)}
      totalOf={(sessions) => sessions.length}
      failed={t('userPage.sessionsFailed')}
      empty={t('userPage.noSessions')}
      linesOf={(sessions) =>
        sessions.map((session) => ({
          id: session.id,
          title: nameOf(session.userAgent),
          more: session.ip,
          end: <TimeAgo at={session.lastUsedAt} />
        }))
      }
    />
  )
}
