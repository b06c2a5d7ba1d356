import { networkError } from '@batti/client/transport'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { ToastTexts } from '#web/test/toast-texts.tsx'
import { EditUserDialog } from './user-form-dialog.tsx'

const user = {
  _id: sita._id,
  name: 'Sita Thapa',
  email: 'sita@example.com',
  phone: '+9779812345678',
  countryCode: '+977' as const,
  role: 'user' as const,
  profileImage: null,
  emailVerification: true,
  phoneVerification: false,
  address: 'Pokhara',
  createdAt: '2026-11-01T00:00:00.000Z',
  deviceCount: 0,
  scheduleCount: 0,
  roomCount: 0
}

test('only the new name is sent: its owner may have changed the rest', async () => {
  const app = await createTestApp({ areas: ['users', 'staff'], server: () => ({ data: user }) })
  app.show(<EditUserDialog user={user} onClose={() => {}} />)
  fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: 'Sita Sharma' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() =>
    expect(app.requests.filter(({ method }) => method === 'patch').map(({ body }) => body)).toEqual([
      '{"name":"Sita Sharma"}'
    ])
  )
})

test('a name that was typed back is sent if an earlier try, without an answer, may have changed it', async () => {
  let tries = 0
  const app = await createTestApp({
    areas: ['users', 'staff'],
    server: ({ method }) =>
      method === 'patch' && ++tries === 1
        ? Promise.reject(networkError(null))
        : { data: { ...user, name: 'Sita Shrma' } }
  })
  app.show(<EditUserDialog user={user} onClose={() => {}} />)
  const saveAs = async (name: string, tried: number) => {
    fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: name } })
    fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
    await waitFor(() => expect(app.requests.filter(({ method }) => method === 'patch')).toHaveLength(tried))
  }
  await saveAs('Sita Shrma', 1)
  await waitFor(() => expect(screen.getByLabelText(/^Name/).closest('[inert]')).toBeNull())
  await saveAs('Sita Thapa', 2)
  expect(app.requests.findLast(({ method }) => method === 'patch')?.body).toBe('{"name":"Sita Thapa"}')
})

test("another account's e-mail is shown at its field", async () => {
  const message = 'Another account has this email.'
  const errors = [{ path: 'email', message }]
  const app = await createTestApp({
    areas: ['users', 'staff'],
    server: () => ({ status: 409, code: 'CONFLICT', message, errors })
  })
  app.show(<EditUserDialog user={user} onClose={() => {}} />)
  const email = screen.getByLabelText(/^Email/)
  fireEvent.input(email, { target: { value: 'ram@example.com' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  expect(email.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(email))
})

test('a refusal of a setting that the form does not show is said beside that of its field', async () => {
  const errors = [
    { path: 'email', message: 'Another account has this email.' },
    { path: 'address', message: 'must be at most 300 characters' }
  ]
  const app = await createTestApp({
    areas: ['users', 'staff', 'rules'],
    server: () => ({ status: 400, code: 'VALIDATION', message: 'Another account has this email.', errors })
  })
  app.show(
    <>
      <EditUserDialog user={user} onClose={() => {}} />
      <ToastTexts />
    </>
  )
  fireEvent.input(screen.getByLabelText(/^Email/), { target: { value: 'ram@example.com' } })
  fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('Another account has this email.')
  await screen.findByText(/address: .*300/)
})

test('Save is busy while the answer is awaited', async () => {
  const app = await createTestApp({ areas: ['users', 'staff'], server: () => new Promise(() => {}) })
  app.show(<EditUserDialog user={user} onClose={() => {}} />)
  fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: 'Sita Sharma' } })
  const save = screen.getByRole('button', { name: /^Save/ })
  fireEvent.click(save)
  await waitFor(() => expect(save.getAttribute('aria-busy')).toBe('true'))
})
