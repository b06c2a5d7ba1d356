import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { EditDeviceDialog } from './edit-device-dialog.tsx'

test('a colour that is refused is named at its field', async () => {
  const app = await createTestApp({ areas: ['staff', 'fleet', 'devices', 'table', 'rules', 'colours'] })
  const device = boardRecord({ activeColor: '#ffb020' })
  app.show(<EditDeviceDialog device={device} renderOwner={() => null} onClose={() => {}} />)
  const field = screen.getByLabelText('Colour name or hex')
  fireEvent.change(field, { target: { value: 'red\u0007' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('must not contain line breaks or control characters')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(app.requests.some(({ method }) => method === 'patch')).toBe(false)
})
