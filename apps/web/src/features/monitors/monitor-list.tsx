import { listMonitors, type MonitorRecord } from '@batti/contracts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { useList } from '#web/lib/lists/use-list.ts'
import { PermissionWords } from './components/permission-words.tsx'

export const useMonitorList = () =>
  useList({
    name: 'monitors',
    route: listMonitors,
    rows: ({ monitors }) => monitors,
    pageSize: 200,
    queryKey: ['monitors']
  })

export const monitorColumns: readonly Column<MonitorRecord>[] = [
  { id: 'name', label: 'monitors.name', width: 160 },
  { id: 'phone', label: 'monitors.phone', width: 146, card: { line: 2 } },
  { id: 'email', label: 'monitors.email', width: 190, card: { line: 3 } },
  {
    id: 'permissions',
    label: 'monitors.permissions',
    value: ({ permissions }, t) => permissions.map((name) => t(`permission.${name}`)).join(', '),
    cell: ({ permissions }) => <PermissionWords permissions={permissions} />,
    width: 480,
    card: { line: 4 }
  }
]
