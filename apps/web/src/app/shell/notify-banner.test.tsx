import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { NotifyBanner } from './notify-banner.tsx'

test('a notify-user text is shown for five seconds, a newer one for five of its own', async () => {
  const app = await createTestApp()
  app.show(<NotifyBanner />)
  act(() => app.line.receive('notify-user', 'Gate light: missed “Evening”'))
  screen.getByText('Gate light: missed “Evening”')
  act(() => app.clock.advance(4000))
  act(() => app.line.receive('notify-user', 'Board “Gate” is back'))
  act(() => app.clock.advance(4999))
  screen.getByText('Board “Gate” is back')
  act(() => app.clock.advance(1))
  expect(screen.queryByText('Board “Gate” is back')).toBeNull()
})

test('a text that came before the frame is shown once the frame is drawn', async () => {
  const app = await createTestApp()
  app.line.receive('notify-user', 'Your rooms changed hands')
  app.show(<NotifyBanner />)
  screen.getByText('Your rooms changed hands')
  act(() => app.clock.advance(5000))
  expect(screen.queryByText('Your rooms changed hands')).toBeNull()
})

test('a text is in the language of the page', async () => {
  const app = await createTestApp({ language: 'ne' })
  const text = 'Somebody tried to set up your board Gate again. It stays yours.'
  await waitFor(() => expect(app.words(text)).not.toBe(text))
  app.show(<NotifyBanner />)
  act(() => app.line.receive('notify-user', text))
  screen.getByText('कसैले तपाईंको बोर्ड Gate फेरि जोड्न खोज्यो। यो तपाईंकै रहन्छ।')
})

test('a text that looks like markup is shown as text', async () => {
  const app = await createTestApp()
  app.show(<NotifyBanner />)
  act(() => app.line.receive('notify-user', '<img src=x onerror=alert(1)>'))
  expect(screen.getByText('<img src=x onerror=alert(1)>').querySelector('img')).toBeNull()
})

test('the bar says that the page is reconnecting, and offers a retry after the last attempt', async () => {
  const app = await createTestApp()
  app.show(<ConnectionBar />)
  expect(screen.queryByText('Reconnecting…')).toBeNull()
  act(() => app.line.setStatus('reconnecting'))
  screen.getByText('Reconnecting…')
  act(() => app.line.setStatus('lost'))
  expect(screen.getByRole('button', { name: 'Reconnect' })).toBeTruthy()
})
