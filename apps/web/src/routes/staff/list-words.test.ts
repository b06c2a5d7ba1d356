import { expect, test } from 'vitest'
import { auditColumns } from '#web/features/audit-logs/audit-list.tsx'
import { fileColumns } from '#web/features/firmware-files/file-list.tsx'
import { monitorColumns } from '#web/features/monitors/monitor-list.tsx'
import { rolloutColumns } from '#web/features/rollouts/rollout-list.tsx'
import { targetColumns } from '#web/features/rollouts/target-columns.tsx'
import { deviceColumns } from '#web/features/staff-devices/device-list.tsx'
import { logColumns } from '#web/features/staff-logs/log-list.tsx'
import { scheduleColumns } from '#web/features/staff-schedules/schedule-list.tsx'
import { favoriteColumns, switchColumns } from '#web/features/staff-switches/switch-list.tsx'
import { userColumns } from '#web/features/users/user-columns.tsx'
import { createTexts } from '#web/lib/i18n/texts.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { valueOf, type Column } from '#web/ui/data-table/columns.ts'

/** Returns the values of a list's columns for a record; only the fields that its words are made of are needed. */
const words =
  <Row>(path: string, columns: readonly Column<Row>[], record: Partial<Row>, ids: string) =>
  async () => {
    const app = await createTestApp({ language: 'ne', areas: textsOf(path) })
    const intl = createTexts(app.language.getState())
    const t = (id: string, values = {}) => intl.formatMessage({ id }, values)
    return ids.split(' ').map((id) => {
      const column = columns.find((each) => each.id === id)
      return column && valueOf(column, record as Row, t)
    })
  }

const counts = { done: 0 }
test.each([
  ['users', words('/admin/users', userColumns, { role: 'monitor' }, 'role')],
  ['devices', words('/admin/devices', deviceColumns, { isOnline: true }, 'isOnline')],
  ['switches', words('/admin/switches', switchColumns, { isOnline: false, isFavorite: true }, 'status isFavorite')],
  ['favorite switches', words('/admin/favorite-switches', favoriteColumns, { type: 'fan' }, 'type status')],
  [
    'schedules',
    words(
      '/admin/schedules',
      scheduleColumns,
      { label: '', repeatType: 'weekly', isActive: true },
      'label repeatType isActive'
    )
  ],
  ['logs', words('/admin/logs', logColumns(String), { from: 'schedule' }, 'from')],
  [
    'monitors',
    words('/admin/monitors', monitorColumns, { permissions: ['view devices', 'view users'] }, 'permissions')
  ],
  ['audit logs', words('/admin/audit-logs', auditColumns(String), { action: 'device.update' }, 'action')],
  [
    'firmware files',
    words(
      '/admin/device-firmware-files',
      fileColumns({ versions: [], devicesPath: '' }),
      { state: 'withdrawn' },
      'state'
    )
  ],
  [
    'rollouts',
    words('/admin/rollouts', rolloutColumns, { kind: 'firmware', state: 'done', total: 2, counts }, 'kind state')
  ],
  [
    'boards of a rollout',
    words(
      '/admin/rollouts/:id',
      targetColumns(''),
      { phase: 'rolled-back', error: { code: 'boot-failed', detail: null } },
      'phase error'
    )
  ]
])('the words of %s are filtered as they are shown: in the language of the page', async (_name, valuesOf) => {
  for (const value of await valuesOf()) expect(value).toMatch(/^[^A-Za-z]+$/)
})
