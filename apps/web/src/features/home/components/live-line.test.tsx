import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { LiveLine } from './live-line.tsx'

test('what a board refused is read in Nepali', async () => {
  const app = await createTestApp({ language: 'ne', areas: ['home'] })
  const message = 'The board is offline.'
  await waitFor(() => expect(app.words(message, 'DEVICE_OFFLINE')).not.toBe(message))
  app.show(<LiveLine />)
  act(() => app.line.receive('deviceStatus', { message, deviceMac: 'AA:BB:CC:DD:EE:FF', code: 'DEVICE_OFFLINE' }))
  expect(screen.getByText('बोर्ड अफलाइन छ।')).toBeDefined()
})
