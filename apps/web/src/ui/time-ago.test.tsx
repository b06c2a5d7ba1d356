import { act, screen } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startSideEffects } from '#web/app/bootstrap/side-effects.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { TimeAgo } from './time-ago.tsx'

const hour = 3600_000

afterEach(() => vi.unstubAllGlobals())

test('on a phone that is six hours late, what happened an hour ago was an hour ago', async () => {
  const app = await createTestApp()
  const serverNow = app.clock.now()
  app.clock.step(-6 * hour)
  app.serverTime.heard(new Date(serverNow).toUTCString())
  app.show(<TimeAgo at={serverNow - hour} />)
  expect(screen.getByRole('button').textContent).toBe('1 hour ago')
})

test('after a sleep of the phone it is right as soon as the page is seen', async () => {
  const app = await createTestApp()
  onTestFinished(startSideEffects(app, window))
  app.serverTime.heard(new Date(app.clock.now()).toUTCString())
  app.show(<TimeAgo at={app.clock.now()} />)
  app.clock.suspend(hour)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.getByRole('button').textContent).toBe('1 hour ago')
})

test('where the clock of the browser stands still in a sleep, it is right with the first answer of the server', async () => {
  const app = await createTestApp()
  const before = app.clock.now()
  app.serverTime.heard(new Date(before).toUTCString())
  app.show(<TimeAgo at={before} />)
  act(() => app.serverTime.heard(new Date(before + hour).toUTCString()))
  expect(screen.getByRole('button').textContent).toBe('1 hour ago')
})

test('a past event is never shown as in the future; a future one is', async () => {
  const app = await createTestApp()
  const later = app.clock.now() + 6 * hour
  app.show(<TimeAgo at={later} />)
  app.show(<TimeAgo at={later} isAhead />)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['now', 'in 6 hours'])
})

test('in print the exact time is shown, because nobody knows when it is read', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === 'print',
    addEventListener: () => {},
    removeEventListener: () => {}
  }))
  const app = await createTestApp()
  app.show(<TimeAgo at="2026-11-21T13:20:00.000Z" />)
  expect(screen.getByRole('button').textContent).toMatch(/^21 Nov 2026, \d\d:\d\d$/)
})
