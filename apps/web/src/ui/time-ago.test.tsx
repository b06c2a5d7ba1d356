import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
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
