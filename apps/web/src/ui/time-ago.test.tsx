import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { TimeAgo } from './time-ago.tsx'

const hour = 3600_000

test('on a phone that is six hours late, what happened an hour ago was an hour ago', async () => {
  const app = await createTestApp()
  const serverNow = app.clock.now()
  app.clock.step(-6 * hour)
  app.serverTime.heard(new Date(serverNow).toUTCString())
  app.show(<TimeAgo at={serverNow - hour} />)
  expect(screen.getByRole('button').textContent).toBe('1 hour ago')
})

test('what has happened is never told as in the future; what will be, is', async () => {
  const app = await createTestApp()
  const later = app.clock.now() + 6 * hour
  app.show(<TimeAgo at={later} />)
  app.show(<TimeAgo at={later} isAhead />)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['now', 'in 6 hours'])
})
