import { dayMs } from '@batti/kit/durations'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { actionLogRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LogList } from './log-list.tsx'

test.each([1, -1])(
  'on a phone whose clock is wrong by %d day, a new row is of today, and today is requested',
  async (days) => {
    const app = await createTestApp({
      areas: ['logs'],
      server: () => ({ data: { logs: [actionLogRecord({ createdAt })], total: 1, page: 1, limit: 50, totalPages: 1 } })
    })
    const serverNow = app.clock.now()
    const createdAt = new Date(serverNow).toISOString()
    app.clock.step(days * dayMs)
    app.serverTime.heard(new Date(serverNow).toUTCString())
    app.show(<LogList filters={{ switchId: null, from: null, day: 'today' }} />)
    await screen.findByRole('heading', { name: 'Today' })
    const since = new URL(app.requests[0]?.url ?? '', 'http://batti.test').searchParams.get('since') ?? ''
    expect(since).toBe(new Date(new Date(serverNow).setHours(0, 0, 0, 0)).toISOString())
  }
)

test('a screen reader is told how many rows Show older has brought', async () => {
  const row = (number: number) => actionLogRecord({ _id: String(number).padStart(24, '0') })
  const app = await createTestApp({
    areas: ['logs'],
    server: ({ url }) => {
      const page = Number(new URL(url, 'http://batti.test').searchParams.get('page') ?? 1)
      return { data: { logs: [row(page)], total: 2, page, limit: 1, totalPages: 2 } }
    }
  })
  app.show(<LogList filters={{ switchId: null, from: null, day: null }} />)
  const said = (await screen.findByText('1 of 2')).closest('[role=status]')
  fireEvent.click(screen.getByRole('button', { name: 'Show older' }))
  await screen.findByText('2 of 2')
  expect(said?.textContent).toBe('2 of 2')
})
