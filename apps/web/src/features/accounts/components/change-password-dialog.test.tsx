import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ChangePasswordDialog } from './change-password-dialog.tsx'

async function submitted(answer: Answer | Promise<Answer>) {
  const app = await createTestApp({ areas: ['profile', 'accounts'], server: () => answer })
  app.show(<ChangePasswordDialog onClose={() => {}} />)
  for (const field of document.querySelectorAll('input'))
    fireEvent.change(field, { target: { value: 'a long password' } })
  fireEvent.click(screen.getByRole('button', { name: 'Change Password' }))
  await waitFor(() => expect(app.requests).toHaveLength(1))
}

test('asks before it is closed while the password is being changed', async () => {
  await submitted(new Promise(() => {}))
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await screen.findByRole('alertdialog', { name: 'It is being saved: closing does not stop that.' })
})

test('asks before what was typed is lost after a refusal', async () => {
  const message = 'The old password is wrong.'
  await submitted({ status: 400, code: 'VALIDATION', message })
  await screen.findByText(message)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await screen.findByRole('alertdialog', { name: 'Discard what you typed?' })
})
