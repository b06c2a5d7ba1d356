import { networkError } from '@batti/client/transport'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { notify } from '#web/lib/notify.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { MonitorFormDialog } from './monitor-form-dialog.tsx'

const monitor = {
  _id: 'b'.repeat(24),
  name: 'Maya Rai',
  phone: '+9779812345678',
  email: 'maya@example.com',
  permissions: ['view devices', 'view logs'] as const,
  createdAt: '2026-11-01T00:00:00.000Z'
}
/** The monitor as the list of accounts has it. */
const onServer = {
  ...monitor,
  role: 'monitor',
  profileImage: null,
  emailVerification: true,
  phoneVerification: false,
  deviceCount: 0,
  scheduleCount: 0,
  roomCount: 0
}

test('a permission that another admin revokes meanwhile is not restored by an open form', async () => {
  const byNow = { ...onServer, name: 'Maya Gurung', permissions: ['view logs', 'view users'] }
  const app = await createTestApp({
    areas: ['records', 'staff', 'table', 'rules'],
    server: ({ method }) => ({ data: method === 'put' ? monitor : byNow })
  })
  app.show(<MonitorFormDialog monitor={{ ...monitor, permissions: [...monitor.permissions] }} onClose={() => {}} />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'view schedules' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'view logs' }))
  fireEvent.input(screen.getByLabelText(/^Phone/), { target: { value: '+9779800000000' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(app.requests.some(({ method }) => method === 'put')).toBe(true))
  const sent = app.requests.find(({ method }) => method === 'put')?.body
  expect(JSON.parse(typeof sent === 'string' ? sent : '')).toEqual({
    name: 'Maya Gurung',
    phone: '+9779800000000',
    email: 'maya@example.com',
    permissions: ['view users', 'view schedules']
  })
})

test('a permission that is taken back after a try without an answer is not left as that try set it', async () => {
  const bodies: unknown[] = []
  const byNow = { ...onServer, permissions: ['view devices', 'view logs', 'view users'] }
  const app = await createTestApp({
    areas: ['records', 'staff', 'table', 'rules'],
    server: ({ method, body }) => {
      if (method !== 'put') return { data: byNow }
      bodies.push(JSON.parse(typeof body === 'string' ? body : ''))
      return bodies.length === 1 ? Promise.reject(networkError(null)) : { data: monitor }
    }
  })
  app.show(<MonitorFormDialog monitor={{ ...monitor, permissions: [...monitor.permissions] }} onClose={() => {}} />)
  const press = (role: string, name: string | RegExp) => fireEvent.click(screen.getByRole(role, { name }))
  press('checkbox', 'view users')
  press('button', /^Save/)
  await waitFor(() => expect(bodies).toHaveLength(1))
  await waitFor(() => expect(screen.getByLabelText(/^Phone/).closest('[inert]')).toBeNull())
  press('checkbox', 'view users')
  press('button', /^Save/)
  await waitFor(() => expect(bodies).toHaveLength(2))
  expect(bodies[1]).toMatchObject({ permissions: ['view devices', 'view logs'] })
})

test('a phone number without its country code is refused in Nepali on a Nepali page', async () => {
  const app = await createTestApp({ areas: ['records', 'staff', 'table', 'rules'], language: 'ne' })
  app.show(<MonitorFormDialog monitor={{ ...monitor, permissions: [] }} onClose={() => {}} />)
  const phone = screen.getByDisplayValue(monitor.phone)
  fireEvent.input(phone, { target: { value: '12' } })
  fireEvent.click(screen.getByRole('button', { name: 'सुरक्षित गर्नुहोस्' }))
  const told = await screen.findByText('देशको कोडसहितको फोन नम्बर दिनुहोस्, जस्तै +9779812345678।')
  expect(phone.getAttribute('aria-describedby')).toContain(told.id)
})

test('a change that was not sent is not said to be done perhaps, as the record could not be read', async () => {
  const failed = vi.spyOn(notify, 'error')
  const noted = vi.spyOn(notify, 'info')
  const app = await createTestApp({
    areas: ['records', 'staff', 'table', 'rules'],
    server: () => Promise.reject(networkError(null))
  })
  app.show(<MonitorFormDialog monitor={{ ...monitor, permissions: [] }} onClose={() => {}} />)
  fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: 'Maya Gurung' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(failed).toHaveBeenCalledOnce())
  expect(noted.mock.calls).toEqual([['Not connected. Nothing was sent; try again when the connection is back.']])
  expect(app.requests.some(({ method }) => method === 'put')).toBe(false)
})
