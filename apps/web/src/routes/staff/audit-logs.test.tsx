import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { textsOf } from '#web/test/texts-of.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { Screen } from './audit-logs.tsx'

const log = {
  _id: '1',
  at: '2026-11-22T12:00:00.000Z',
  actor: { _id: 'd'.repeat(24), name: 'Anil', role: 'monitor' },
  action: 'device-type.update',
  target: { kind: 'device-type', _id: null, label: '' },
  changes: [
    { field: 'deviceName', before: 'Wall', after: 'Wall 4' },
    { field: 'ofLater', before: null, after: 1 }
  ],
  ip: '10.0.0.1',
  requestId: 'r1'
}

test('roles, kinds and fields are in the page’s language; a row can be opened by its menu too', async () => {
  const app = await createTestApp({
    language: 'ne',
    areas: textsOf('/admin/audit-logs'),
    server: () => ({ data: { logs: [log], total: 1, page: 1, limit: 100, totalPages: 1 } })
  })
  app.show(<Screen />, '/?density=comfortable')
  await screen.findByText('Anil')
  expect(screen.getByText('निरीक्षक')).toBeTruthy()
  expect(screen.getByText('प्रकारको नाम, ofLater')).toBeTruthy()
  expect(screen.queryByText(/device-type|monitor|deviceName/)).toBeNull()
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'प्रकारको नाम' } })
  fireEvent.click(await screen.findByRole('button', { name: /उपकरणको प्रकार/ }))
  fireEvent.click(await screen.findByRole('menuitem'))
  await screen.findByRole('dialog', { name: 'उपकरणको प्रकार' })
  expect(screen.getByText('Anil (निरीक्षक)')).toBeTruthy()
  expect(screen.getByRole('rowheader', { name: 'प्रकारको नाम' })).toBeTruthy()
})
