import { createDeviceType } from '@batti/contracts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { bodyRules } from '#web/lib/api/use-change.ts'
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
    { field: 'ofLater', before: false, after: true }
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
  expect(screen.getByRole('row', { name: 'ofLater छैन छ' })).toBeTruthy()
})

test('each field of a board type and of a session has a name', async () => {
  const fields = [...Object.keys(bodyRules(createDeviceType).shape), 'deviceImage', 'userAgent', 'ip', 'createdAt']
  const changes = fields.map((field) => ({ field, before: null, after: 1 }))
  const app = await createTestApp({
    areas: textsOf('/admin/audit-logs'),
    server: () => ({ data: { logs: [{ ...log, changes }], total: 1, page: 1, limit: 100, totalPages: 1 } })
  })
  app.show(<Screen />, '/?density=comfortable')
  fireEvent.click(await screen.findByRole('button', { name: /^Actions for/ }))
  fireEvent.click(await screen.findByRole('menuitem'))
  await screen.findByRole('dialog')
  const names = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
  expect(names).toHaveLength(fields.length)
  expect(names.filter((name) => fields.includes(name))).toEqual([])
})

test('a month that is typed with two digits is one step of the browser’s Back', async () => {
  onTestFinished(() => history.replaceState(null, '', '/'))
  history.replaceState(null, '', '/?from=2026-02-10')
  const app = await createTestApp({
    areas: textsOf('/admin/audit-logs'),
    server: () => ({ data: { logs: [log], total: 1, page: 1, limit: 100, totalPages: 1 } })
  })
  app.showInBrowser(<Screen />)
  const field = await screen.findByLabelText<HTMLInputElement>('From')
  fireEvent.change(field, { target: { value: '2026-01-10' } })
  fireEvent.change(field, { target: { value: '2026-11-10' } })
  await waitFor(() => expect(location.search).toContain('2026-11-10'))
  act(() => history.back())
  await waitFor(() => expect(field.value).toBe('2026-02-10'))
  fireEvent.blur(field)
  fireEvent.change(field, { target: { value: '2026-03-10' } })
  act(() => history.back())
  await waitFor(() => expect(field.value).toBe('2026-02-10'))
})

test('a session is named by its browser and system, in the page’s language', async () => {
  const userAgent = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'
  const session = {
    ...log,
    action: 'user.end-session',
    target: { kind: 'session', _id: null, label: userAgent },
    changes: [{ field: 'userAgent', before: userAgent, after: null }]
  }
  const app = await createTestApp({
    language: 'ne',
    areas: textsOf('/admin/audit-logs'),
    server: () => ({ data: { logs: [session], total: 1, page: 1, limit: 100, totalPages: 1 } })
  })
  app.show(<Screen />, '/?density=comfortable')
  await screen.findByText('Android मा Chrome')
  screen.getByText('लगइन सत्र')
  fireEvent.click(screen.getByRole('button', { name: /Android मा Chrome/ }))
  fireEvent.click(await screen.findByRole('menuitem'))
  await screen.findByRole('dialog', { name: 'Android मा Chrome' })
})
