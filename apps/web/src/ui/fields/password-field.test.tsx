import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { PasswordField } from './password-field.tsx'

test('the button of a password says what it does, and not also that it is pressed', async () => {
  const app = await createTestApp()
  app.show(<PasswordField label="Password" value="secret" onChange={() => undefined} />)
  const field = screen.getByLabelText('Password')
  expect(field.getAttribute('type')).toBe('password')
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(field.getAttribute('type')).toBe('text')
  expect(screen.getByRole('button', { name: 'Hide password' }).hasAttribute('aria-pressed')).toBe(false)
})
