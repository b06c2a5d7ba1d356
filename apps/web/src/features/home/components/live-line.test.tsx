import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { LiveLine } from './live-line.tsx'

test("a board's refusal is shown in Nepali", async () => {
  const app = await createTestApp({ language: 'ne', areas: ['home'] })
  const message = 'The board is offline.'
  await waitFor(() => expect(app.words(message, 'DEVICE_OFFLINE')).not.toBe(message))
  app.show(<LiveLine />)
  act(() => app.line.receive('deviceStatus', { message, deviceMac: 'AA:BB:CC:DD:EE:FF', code: 'DEVICE_OFFLINE' }))
  expect(screen.getByText('बोर्ड अफलाइन छ।')).toBeDefined()
})

test('a switch without a name is called in Nepali as on its card', async () => {
  const app = await createTestApp({ language: 'ne', areas: ['home', 'devices'] })
  app.show(<LiveLine />)
  act(() => app.line.receive('switchToggled', { switchId: 's1', switchName: 'Switch 3', state: true }))
  expect(screen.getByText('स्विच ३ बल्यो')).toBeDefined()
})

test('a confirmation is announced; a refusal is announced by its alert only', async () => {
  const app = await createTestApp({ areas: ['home'] })
  app.show(<LiveLine />)
  const heard = () => screen.getByRole('status').querySelector('[aria-hidden="false"]')?.textContent
  act(() => app.line.receive('switchToggled', { switchId: 's1', switchName: 'Kitchen lamp', state: true }))
  expect(heard()).toBe('Kitchen lamp turned ON')
  const message = 'The board is offline.'
  act(() => app.line.receive('deviceStatus', { message, deviceMac: 'AA:BB:CC:DD:EE:FF', code: 'DEVICE_OFFLINE' }))
  screen.getByText(message)
  expect(heard()).toBeUndefined()
})
