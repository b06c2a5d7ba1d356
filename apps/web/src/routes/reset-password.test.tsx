import { fireEvent, screen } from '@testing-library/react'
import { toast, useToasterStore } from 'react-hot-toast'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { Screen as ForgotPassword } from '#web/routes/public/forgot-password.tsx'
import { Screen as ResetPassword } from '#web/routes/public/reset-password.tsx'

const password = 'correct horse battery'
const askedFor = 'Email or phone with country code'

beforeEach(() => toast.remove())

const Said = () => (
  <output>{useToasterStore().toasts.map(({ message }) => (typeof message === 'string' ? message : ''))}</output>
)

async function open(answer: Answer, hasRequest = true) {
  const app = await createTestApp({ areas: ['accounts', 'recovery'], server: () => answer })
  if (hasRequest) app.pending.keepForgotPassword({ type: 'email', value: 'sita@example.com' })
  app.show(
    <>
      <Said />
      <Routes>
        <Route path="/reset" element={<ResetPassword />} />
        <Route path="/user/login" element={<p>The login</p>} />
        <Route path="/user/forgot-password" element={<ForgotPassword />} />
      </Routes>
    </>,
    '/reset'
  )
  return {
    ...app,
    send: (code: string, newPassword: string) => {
      fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: code } })
      fireEvent.change(screen.getByLabelText('New password'), { target: { value: newPassword } })
      fireEvent.click(screen.getByRole('button', { name: 'Reset Password' }))
    }
  }
}

test('without an earlier request it says so and leads back', async () => {
  await open({ data: null }, false)
  await screen.findByLabelText(askedFor)
  await screen.findByText('No forgot password request found.')
})

test.each([
  ['a code', '   ', password],
  ['a password', '123456', '']
])('without %s nothing is sent', async (_, code, newPassword) => {
  const { send, requests } = await open({ data: null })
  send(code, newPassword)
  await screen.findByText('Please fill all fields.')
  expect(requests).toEqual([])
})

test('the code, the account and the password are sent, and the login follows', async () => {
  const { send, requests, pending } = await open({ data: null })
  send(' 123456 ', password)
  await screen.findByText('The login')
  expect(requests.map(({ body }) => (typeof body === 'string' ? (JSON.parse(body) as unknown) : body))).toEqual([
    { otp: '123456', newPassword: password, email: 'sita@example.com' }
  ])
  expect(pending.forgotPassword()).toBe('missing')
})

test('a refused code leads back to where a new one is requested for the same address', async () => {
  const { send } = await open({ status: 400, code: 'CODE_INVALID', message: 'This code is invalid or has expired.' })
  send('123456', password)
  await screen.findByLabelText(askedFor)
  await screen.findByText('This code is invalid or has expired.')
  expect(screen.getByLabelText<HTMLInputElement>(askedFor).value).toBe('sita@example.com')
})

test('if only the password is refused, the code is kept, and the error is shown at the field', async () => {
  const errors = [{ path: 'newPassword', message: 'This password is too common.' }]
  const { send } = await open({ status: 400, code: 'VALIDATION', message: 'Invalid input', errors })
  send('123456', password)
  await screen.findByText('This password is too common.')
  expect(screen.getByLabelText<HTMLInputElement>('One-time code').value).toBe('123456')
})
