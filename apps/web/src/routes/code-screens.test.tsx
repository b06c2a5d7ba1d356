import { fireEvent, screen } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { expect, test } from 'vitest'
import { networkError } from '@batti/client/transport'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { Screen as ForgotPassword } from '#web/routes/public/forgot-password.tsx'
import { Screen as VerifyRegistration } from '#web/routes/public/verify-registration.tsx'

async function open(path: string, answer: Answer | 'lost') {
  const app = await createTestApp({
    areas: ['accounts', 'recovery'],
    server: () => (answer === 'lost' ? Promise.reject(networkError(null)) : answer)
  })
  app.pending.keepRegistrationToken('r-1')
  app.show(
    <Routes>
      <Route path="/forgot" element={<ForgotPassword />} />
      <Route path="/verify" element={<VerifyRegistration />} />
      <Route path="/user/reset-password" element="The code field" />
    </Routes>,
    path
  )
  return {
    ...app,
    send: (label: string, value: string, button: string) => {
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
      fireEvent.click(screen.getByRole('button', { name: button }))
    }
  }
}
const refusal = (code: string, message: string, status = 400): Answer => ({ status, code, message })

test('Forgot Password continues to the code that was sent a moment ago', async () => {
  const { send, pending } = await open(
    '/forgot',
    refusal('TOO_MANY_REQUESTS', 'Please try again after 57 seconds.', 429)
  )
  send('Email or phone with country code', 'sita@example.com', 'Send OTP')
  await screen.findByText('The code field')
  expect(pending.forgotPassword()).toEqual({ type: 'email', value: 'sita@example.com' })
})

test('Forgot Password stays where no code was sent', async () => {
  const { send, pending, requests } = await open(
    '/forgot',
    refusal('TOO_MANY_REQUESTS', 'Please try again after 3540 seconds.', 429)
  )
  send('Email or phone with country code', 'sita@example.com', 'Send OTP')
  await screen.findByRole('button', { name: 'Send OTP' })
  expect(requests).toHaveLength(1)
  expect(pending.forgotPassword()).toBe('missing')
})

test('a sign-up code may have been taken by an earlier visit whose answer was lost: the login is offered', async () => {
  await open('/verify', 'lost')
  expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/user/login')
})

test.each([
  [
    'is refused',
    refusal('CODE_INVALID', 'This code is invalid or has expired.'),
    'This code is invalid or has expired.'
  ],
  ['gets no answer', 'lost' as const, 'OTP verification failed.']
])('a sign-up code that %s is still typed, with the reason', async (_, answer, sentence) => {
  const { send } = await open('/verify', answer)
  send('Code', '123456', 'Verify OTP')
  await screen.findByText(sentence)
  expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('123456')
})
