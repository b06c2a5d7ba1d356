import { fireEvent, screen, waitFor } from '@testing-library/react'
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

test('a port may be typed in Nepali digits', async () => {
  const app = await createTestApp({ areas: ['staff', 'fleet', 'devices', 'table', 'rules', 'colours'] })
  app.show(<EditDeviceDialog device={boardRecord()} renderOwner={() => null} onClose={() => {}} />)
  fireEvent.input(screen.getByLabelText('MQTT port'), { target: { value: '८८८४' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(app.requests.find(({ method }) => method === 'patch')?.body).toBe('{"mqttPort":8884}'))
})

test('a room that is refused is named at its field', async () => {
  const message = 'must be a room of the owner'
  const app = await createTestApp({
    areas: ['staff', 'fleet', 'devices', 'table', 'rules', 'colours'],
    server: ({ method }) =>
      method === 'patch'
        ? { status: 400, code: 'VALIDATION', message: `roomId: ${message}`, errors: [{ path: 'roomId', message }] }
        : { data: { rooms: [], total: 0, page: 1, limit: 500, totalPages: 0 } }
  })
  app.show(<EditDeviceDialog device={boardRecord()} renderOwner={() => null} onClose={() => {}} />)
  fireEvent.input(screen.getByLabelText('MQTT port'), { target: { value: '8884' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toBe(message)
})
