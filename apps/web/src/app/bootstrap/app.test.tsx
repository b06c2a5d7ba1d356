import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { notify } from '#web/lib/notify.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { App } from './app.tsx'

// The library queries prefers-reduced-motion, which jsdom does not have.
vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }))

test('the toaster is loaded right after the first page is drawn, while the network is available', async () => {
  const services = await createTestApp({ areas: ['accounts'] })
  render(<App services={services} first={{ path: '/', Screen: () => <h1>Welcome</h1> }} />)
  await screen.findByRole('heading', { name: 'Welcome' })
  act(() => services.clock.advance(600))
  notify.error('Not connected. Nothing was sent.')
  expect((await screen.findByText('Not connected. Nothing was sent.')).closest('.toasts')).not.toBeNull()
})
