import { listActionLogs, type ActionLogRecord } from '@batti/contracts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useList } from '#web/lib/lists/use-list.ts'

const filters = ['from', 'userId', 'deviceId'] as const

/** Queries the action log of all switches. */
export const useLogList = () =>
  useList({
    name: 'logs',
    route: listActionLogs,
    rows: ({ logs }) => logs,
    pageSize: 200,
    queryKey: queryKeys.actionLogs,
    filters
  })

/** Returns the list's columns; `sentenceOf` translates a row. */
export const logColumns = (sentenceOf: (log: ActionLogRecord) => string): readonly Column<ActionLogRecord>[] => [
  { id: 'userName', label: 'staffLogs.user', width: 190, card: { line: 2 } },
  { id: 'userPhone', label: 'staffLogs.phone', width: 150, card: { line: 2, isEnd: true } },
  {
    id: 'description',
    label: 'staffLogs.description',
    value: sentenceOf,
    width: 360,
    isTitle: true
  },
  {
    id: 'from',
    label: 'staffLogs.source',
    value: ({ from }, t) => t(`logs.from.${from}`),
    width: 120,
    card: { line: 3 }
  },
  {
    id: 'createdAt',
    label: 'staffLogs.date',
    isTime: true,
    width: 150,
    card: { line: 3, isEnd: true }
  }
]
