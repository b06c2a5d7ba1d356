import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createTestApp, type Answer, type TestServer } from '#web/test/test-app.tsx'
import { sita } from '#web/test/fixtures.ts'
import { accessToken } from '#web/test/tokens.ts'
import { LoginForm } from './login-form.tsx'

async function open(server: TestServer = () => ({ data: null })) {
  const onSignedIn = vi.fn<() => void>()
  const app = await createTestApp({ areas: ['accounts'], server })
  app.show(<LoginForm onSignedIn={onSignedIn} />)
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Login' }))
  return { ...app, onSignedIn, type, submit }
}

test.each([
  ['', 'secret', 'Email or Phone is Required !'],
  ['98123', 'secret', 'Please enter a valid email or 10-digit phone number.'],
  ['sita@', 'secret', 'Please enter a valid email or 10-digit phone number.'],
  ['sita@example.com', '12345', 'Password must be at least 6 characters.']
])('"%s" with "%s" is refused before anything is sent', async (identifier, password, text) => {
  const { type, submit, requests } = await open()
  type('Email or phone', identifier)
  type('Password', password)
  submit()
  expect(screen.getByRole('alert').textContent).toBe(text)
  expect(requests).toEqual([])
})

test.each([
  ['', '', 'Email or phone'],
  ['sita@example.com', '12345', 'Password']
])('"%s" with "%s" leads to the field %s, which is marked', async (identifier, password, label) => {
  const { type, submit } = await open()
  type('Email or phone', identifier)
  type('Password', password)
  screen.getByRole('button', { name: 'Login' }).focus()
  submit()
  expect(document.activeElement).toBe(screen.getByLabelText(label))
  expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
})

test('typing in either field clears the error', async () => {
  const { type, submit } = await open()
  submit()
  type('Email or phone', 's')
  expect(screen.queryByRole('alert')).toBeNull()
  submit()
  type('Password', 's')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('ten digits show the country code, which is prefixed to them', async () => {
  const { type, submit, requests } = await open()
  type('Email or phone', '9812345678')
  type('Password', 'secret')
  expect((await screen.findByLabelText('Country code')).textContent).toContain('+977')
  submit()
  await waitFor(() => expect(requests).toHaveLength(1))
  expect(JSON.parse(requests[0]?.body as string)).toEqual({ phone: '+9779812345678', password: 'secret' })
})

test('the server’s sentence is shown when the login is refused', async () => {
  const { type, submit, onSignedIn, session } = await open(() => ({
    status: 401,
    code: 'UNAUTHENTICATED',
    message: 'Wrong email or password.'
  }))
  type('Email or phone', 'sita@example.com')
  type('Password', 'secret')
  submit()
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong email or password.')
  expect(onSignedIn).not.toHaveBeenCalled()
  expect(session.getState().kind).toBe('out')
})

test('a successful login stores the tokens and the user, and continues', async () => {
  const now = 1_800_000_000_000
  const tokens = { accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }
  const user = { ...sita, createdAt: '2026-11-21T00:00:00.000Z' }
  const { type, submit, onSignedIn, storage } = await open(() => ({ data: { ...tokens, user } }))
  type('Email or phone', 'sita@example.com')
  type('Password', 'secret')
  submit()
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  expect(storage.values()).toMatchObject(tokens)
})

test('nothing can be typed while the password is checked', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const { type, submit } = await open(() => promise)
  type('Email or phone', 'sita@example.com')
  type('Password', 'secret')
  submit()
  const isLocked = () => screen.getByLabelText('Password').closest('[inert]') !== null
  expect(isLocked()).toBe(true)
  resolve({ status: 401, code: 'UNAUTHENTICATED', message: 'Wrong email or password.' })
  await screen.findByRole('alert')
  expect(isLocked()).toBe(false)
})

test('the password can be shown', async () => {
  await open()
  const field = screen.getByLabelText('Password')
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(field).toHaveProperty('type', 'text')
  fireEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(field).toHaveProperty('type', 'password')
})
