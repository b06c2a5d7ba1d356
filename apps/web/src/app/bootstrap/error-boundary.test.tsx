import { act, cleanup, screen } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openAcrossRelease } from '#web/test/served-release.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

beforeEach(() => window.history.replaceState(null, ''))

function Faulty({ message }: { message: string }): never {
  throw new Error(message)
}

test.each([
  ['Failed to fetch dynamically imported module: /assets/logs.js', 'This did not load', 'Try again'],
  ['Importing a module script failed.', 'This did not load', 'Try again'],
  ["Cannot read properties of undefined (reading 'name')", 'Something broke on this page', 'Reload the page']
])('%s is shown as: %s', async (message, heading, way) => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  const app = await createTestApp()
  app.show(
    <ErrorBoundary>
      <Faulty message={message} />
    </ErrorBoundary>
  )
  expect(screen.getByRole('heading').textContent).toBe(heading)
  screen.getByRole('button', { name: way })
  quiet.mockRestore()
})

test.each([
  ['of another release', '/assets/index-new.js', 'A new version is here'],
  ['of its own release', '/assets/index-old.js', 'This did not load']
])('a page whose code is missing on a server %s says so', async (_which, served, heading) => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => quiet.mockRestore())
  const asked = openAcrossRelease({ own: '/assets/index-old.js', served })
  const app = await createTestApp()
  app.show(
    <ErrorBoundary>
      <Faulty message="Failed to fetch dynamically imported module: /assets/logs.js" />
    </ErrorBoundary>
  )
  await act(async () => {
    await expect.poll(() => asked).toHaveBeenCalled()
  })
  await screen.findByRole('heading', { name: heading })
})

test('a page whose code is available again reloads by itself, because a failed module stays cached', async () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => quiet.mockRestore())
  const asked = openAcrossRelease({ own: '/assets/index-old.js', served: '/assets/index-old.js' })
  const reload = vi.fn<() => void>()
  const app = await createTestApp()
  app.show(
    <ErrorBoundary reload={reload}>
      <Faulty message="Failed to fetch dynamically imported module: https://house/assets/logs-x_1.js" />
    </ErrorBoundary>
  )
  const pass = (ms: number) => act(async () => app.clock.advance(ms))
  await pass(5000)
  asked.mockResolvedValueOnce(new Response('', { status: 503 }))
  await pass(10_000)
  expect(asked).toHaveBeenCalledWith('/assets/logs-x_1.js', expect.anything())
  expect(reload).not.toHaveBeenCalled()
  await pass(20_000)
  await expect.poll(() => reload).toHaveBeenCalledOnce()
})

test('a page that was left before the server said that its code is there reloads nothing', async () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => quiet.mockRestore())
  const asked = openAcrossRelease({ own: '/assets/index-old.js', served: '/assets/index-old.js' })
  const reload = vi.fn<() => void>()
  const app = await createTestApp()
  const { unmount } = app.show(
    <ErrorBoundary reload={reload}>
      <Faulty message="Failed to fetch dynamically imported module: https://house/assets/logs-x_1.js" />
    </ErrorBoundary>
  )
  await act(async () => app.clock.advance(5000))
  const { promise, resolve } = Promise.withResolvers<Response>()
  asked.mockReturnValueOnce(promise)
  await act(async () => app.clock.advance(10_000))
  expect(asked).toHaveBeenLastCalledWith('/assets/logs-x_1.js', expect.anything())
  unmount()
  await act(async () => resolve(new Response('')))
  expect(reload).not.toHaveBeenCalled()
})

test('a page whose code is missing reloads three times by itself, not forever', async () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => quiet.mockRestore())
  const asked = openAcrossRelease({ own: '/assets/index-old.js', served: '/assets/index-old.js' })
  const reload = vi.fn<() => void>()
  for (let visit = 1; visit <= 5; visit += 1) {
    const app = await createTestApp()
    app.show(
      <ErrorBoundary reload={reload}>
        <Faulty message="Importing a module script failed." />
      </ErrorBoundary>
    )
    await act(async () => app.clock.advance(5000))
    const before = asked.mock.calls.length
    await act(async () => app.clock.advance(10_000))
    if (visit <= 3) await expect.poll(() => reload).toHaveBeenCalledTimes(visit)
    else await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(before)
    cleanup()
  }
  expect(reload).toHaveBeenCalledTimes(3)
})
