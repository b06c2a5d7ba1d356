import { listUnauthorizedLogs, type UnauthorizedLogRecord } from '@batti/contracts'
import { Ban } from 'lucide-react'
import type { Column } from '#web/ui/data-table/columns.ts'
import { T } from '#web/ui/text.tsx'
import { dayInstant } from '#web/lib/time/own-day.ts'
import { BlockedUntil } from './components/blocked-until.tsx'
import { useList } from '#web/lib/lists/use-list.ts'

const filters = ['blocked', 'from', 'to'] as const

export const useRefusalList = () =>
  useList({
    name: 'unauthorized-logs',
    route: listUnauthorizedLogs,
    rows: ({ logs }) => logs,
    pageSize: 100,
    queryKey: ['unauthorized-logs'],
    filters,
    toQuery: ({ blocked, from, to }) => ({
      blocked,
      from: dayInstant(from, 'begin'),
      to: dayInstant(to, 'end')
    })
  })

export const refusalColumns: readonly Column<UnauthorizedLogRecord>[] = [
  {
    id: 'ip',
    label: 'refusals.ip',
    cell: ({ ip, blocked, until }) => (
      <span className="inline-flex items-center gap-2">
        {blocked && <Ban aria-hidden="true" size={15} className="text-danger" />}
        <span className="font-mono text-12">{ip}</span>
        {blocked && (
          <span className="truncate text-12 text-ink-3">
            <BlockedUntil until={until} />
          </span>
        )}
      </span>
    ),
    words: ({ ip, blocked }, t) => (blocked ? `${ip} · ${t('refusals.blocked')}` : ip),
    width: 230
  },
  { id: 'method', label: 'refusals.method', width: 90, card: { line: 2 } },
  { id: 'url', label: 'refusals.url', width: 250, card: { line: 2 } },
  { id: 'userAgent', label: 'refusals.userAgent', width: 220, isSpare: true, card: { line: 3 } },
  {
    id: 'attempts',
    label: 'refusals.attempts',
    cell: ({ attempts }) => <T id="refusals.attemptCount" values={{ count: attempts }} />,
    words: ({ attempts }, t) => t('refusals.attemptCount', { count: attempts }),
    width: 110,
    isNumber: true,
    card: { line: 4 }
  },
  { id: 'users', label: 'refusals.users', width: 80, isNumber: true },
  {
    id: 'timestamp',
    label: 'refusals.time',
    isTime: true,
    width: 130,
    card: { line: 4, isEnd: true }
  }
]
