import { listAuditLogs, type AuditLogRecord } from '@batti/contracts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { T } from '#web/ui/text.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useList } from '#web/lib/lists/use-list.ts'
import { dayInstant } from '#web/lib/time/own-day.ts'
import { actionWords } from './components/action-words.tsx'
import { kindWords } from './kind-words.ts'

const filters = ['action', 'actor', 'from', 'to'] as const

/** Queries the audit log: who changed what. */
export const useAuditList = () =>
  useList({
    name: 'audit-log',
    route: listAuditLogs,
    rows: ({ logs }) => logs,
    pageSize: 100,
    queryKey: ['audit-logs'],
    filters,
    toQuery: ({ action, actor, from, to }) => ({
      action,
      actor,
      from: dayInstant(from, 'begin'),
      to: dayInstant(to, 'end')
    })
  })

/** Returns the list's columns; `fieldWords` translates the name of a stored field, `targetWords` what was changed. */
export const auditColumns = (
  fieldWords: (field: string) => string,
  targetWords: (log: AuditLogRecord) => string
): readonly Column<AuditLogRecord>[] => [
  { id: 'at', label: 'audit.at', isTime: true, width: 150, card: { line: 2, isEnd: true } },
  {
    id: 'actor',
    label: 'audit.actor',
    value: ({ actor }) => actor.name,
    more: ({ actor }) => <T id={`audit.role.${actor.role}`} />,
    words: ({ actor }, t) => `${actor.name} · ${t(`audit.role.${actor.role}`)}`,
    width: 150,
    card: { line: 2 }
  },
  {
    id: 'action',
    label: 'audit.action',
    value: ({ action }, t) => actionWords(t, action),
    width: 190,
    isTitle: true
  },
  {
    id: 'target',
    label: 'audit.target',
    value: targetWords,
    more: ({ target }) => <KindWords kind={target.kind} />,
    words: (log, t) => `${targetWords(log)} · ${kindWords(t, log.target.kind)}`,
    width: 200,
    card: { line: 3 }
  },
  {
    id: 'changes',
    label: 'audit.changes',
    value: ({ changes }) => changes.map(({ field }) => fieldWords(field)).join(', '),
    cell: ({ changes }) => <Fields words={changes.map(({ field }) => fieldWords(field))} />,
    width: 260,
    card: { line: 4 }
  },
  { id: 'ip', label: 'audit.ip', width: 130, isCode: true, isSpare: true }
]

/** If more than one further field changed, the rest is shown as a count. */
const shownFields = 2

function Fields({ words }: { words: readonly string[] }) {
  const t = useText()
  const list = (some: readonly string[]) => some.join(', ')
  if (words.length <= shownFields + 1) return list(words)
  const count = words.length - shownFields
  return <span title={list(words)}>{t('audit.andMore', { list: list(words.slice(0, shownFields)), count })}</span>
}

function KindWords({ kind }: { kind: string }) {
  return kindWords(useText(), kind)
}
