import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { sita } from '#web/test/fixtures.ts'
import { accessToken } from '#web/test/tokens.ts'
import { HomeHeader } from './home-header.tsx'

test('a session with only a token greets without a name, and with it as soon as it is known', async () => {
  const app = await createTestApp({ areas: ['home'] })
  app.storage.setItem('accessToken', accessToken({ expMs: app.clock.now() + 600_000 }))
  act(() => app.session.adopt())
  app.show(<HomeHeader />)
  expect(screen.getByRole('heading').textContent).toBe('Hi!')
  act(() => app.session.updateUser({ ...sita, name: 'Sita' }))
  expect(screen.getByRole('heading').textContent).toBe('Hi! Sita')
})
