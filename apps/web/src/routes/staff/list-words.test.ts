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
import { refusalColumns } from '#web/features/unauthorized-logs/refusal-list.tsx'
import { userColumns } from '#web/features/users/user-columns.tsx'
import { createTexts } from '#web/lib/i18n/texts.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { wordsOf, type Column } from '#web/ui/data-table/columns.ts'

/** Returns the words by which a list's columns find a record; only the fields that its words are made of are needed. */
const words =
  <Row>(path: string, columns: readonly Column<Row>[], record: Partial<Row>, ids: string) =>
  async () => {
    const app = await createTestApp({ language: 'ne', areas: textsOf(path) })
    const intl = createTexts(app.language.getState())
    const t = (id: string, values = {}) => intl.formatMessage({ id }, values)
    return ids.split(' ').map((id) => {
      const column = columns.find((each) => each.id === id)
      return column && wordsOf(column, record as Row, t, intl)
    })
  }

const counts = { done: 0 }
test.each([
  ['users', words('/admin/users', userColumns, { role: 'monitor' }, 'role')],
  [
    'devices',
    words(
      '/admin/devices',
      deviceColumns,
      { isOnline: true, setRoom: null, lastSeen: null, health: { score: 60, reasons: ['weak', 'flapping'] } },
      'isOnline room lastSeen health'
    )
  ],
  ['switches', words('/admin/switches', switchColumns, { isOnline: false, isFavorite: true }, 'status isFavorite')],
  ['favorite switches', words('/admin/favorite-switches', favoriteColumns, { type: 'fan' }, 'type status')],
  [
    'schedules',
    words(
      '/admin/schedules',
      scheduleColumns,
      { label: '', startTime: '18:00', startAction: 'on', repeatType: 'weekly', isActive: true },
      'label startTime repeatType isActive'
    )
  ],
  [
    'refusals',
    words('/admin/unauthorized-logs', refusalColumns, { ip: '', blocked: true, attempts: 12 }, 'ip attempts')
  ],
  ['logs', words('/admin/logs', logColumns(String), { from: 'schedule' }, 'from')],
  [
    'monitors',
    words('/admin/monitors', monitorColumns, { permissions: ['view devices', 'view users'] }, 'permissions')
  ],
  ['audit logs', words('/admin/audit-logs', auditColumns(String, String), { action: 'device.update' }, 'action')],
  [
    'firmware files',
    words(
      '/admin/device-firmware-files',
      fileColumns({ versions: [], devicesPath: '' }),
      { state: 'withdrawn', hwModel: null, keyId: null },
      'state hwModel keyId'
    )
  ],
  [
    'rollouts',
    words(
      '/admin/rollouts',
      rolloutColumns,
      { kind: 'firmware', state: 'done', total: 2, counts, stages: [] },
      'kind state progress stage'
    )
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
