import { act, fireEvent, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect, test, vi } from 'vitest'
import { ErrorBoundary } from '#web/app/bootstrap/error-boundary.tsx'
import { createTestApp } from '#web/test/test-app.tsx'
import { createLazyScreen, Loaded } from './lazy-screen.tsx'

const notFetched = new TypeError('Failed to fetch dynamically imported module: /assets/logs.js')

async function openScreenThatFails(times: number) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const load = vi.fn<() => Promise<{ default: ComponentType }>>().mockResolvedValue({ default: () => <p>The log</p> })
  for (let time = 1; time <= times; time += 1) load.mockRejectedValueOnce(notFetched)
  const lazy = createLazyScreen(load)
  const app = await createTestApp()
  app.show(
    <ErrorBoundary>
      <Loaded screen={lazy} />
    </ErrorBoundary>
  )
  await act(() => expect(lazy.load()).rejects.toThrow())
  const pass = (ms: number) => act(async () => app.clock.advance(ms))
  return { pass, isFailed: () => screen.queryByRole('alert') !== null }
}

async function openScreenThatFailsForGood() {
  const { pass } = await openScreenThatFails(2)
  await pass(1000)
  await screen.findByRole('heading', { name: 'This did not load' })
}

test('a failed load of a page’s code is retried once before an error is shown', async () => {
  const { pass, isFailed } = await openScreenThatFails(1)
  expect(isFailed()).toBe(false)
  await pass(1000)
  await screen.findByText('The log')
})

test('a page whose code failed to load can be retried in its place', async () => {
  await openScreenThatFailsForGood()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('The log')
})

test('it is retried by itself when the network returns', async () => {
  await openScreenThatFailsForGood()
  fireEvent(window, new Event('online'))
  await screen.findByText('The log')
})

test('a loaded screen is shown at once, without a loading state', async () => {
  const load = vi.fn<() => Promise<{ default: ComponentType }>>()
  const app = await createTestApp()
  app.show(
    <Loaded
      screen={createLazyScreen(load, () => (
        <p>The home</p>
      ))}
    />
  )
  screen.getByText('The home')
  expect(load).not.toHaveBeenCalled()
})

test('a screen is loaded once, and shown at once from then on', async () => {
  const load = vi
    .fn<() => Promise<{ default: ComponentType }>>()
    .mockResolvedValue({ default: () => <p>The schedules</p> })
  const lazy = createLazyScreen(load)
  const app = await createTestApp()
  const shown = app.show(<Loaded screen={lazy} />)
  await act(async () => void (await lazy.load()))
  screen.getByText('The schedules')
  shown.unmount()
  app.show(<Loaded screen={lazy} />)
  screen.getByText('The schedules')
  expect(load).toHaveBeenCalledTimes(1)
})
