import { dayMs } from '@batti/kit/durations'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
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

test('what a newer server logs is shown in its own words', async () => {
  const rows = [
    actionLogRecord({ userName: '', cause: { by: 'timer', from: 'schedule' } as never, from: 'schedule' }),
    actionLogRecord({ _id: 'a'.repeat(24), userName: '', kind: 'skipped' as never, from: 'matter' as never })
  ]
  const app = await createTestApp({
    areas: ['logs'],
    server: () => ({ data: { logs: rows, total: 2, page: 1, limit: 50, totalPages: 1 } })
  })
  app.show(<LogList filters={{ switchId: null, from: null, day: null }} />)
  const shown = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(shown).toEqual([expect.stringMatching(/timer.*schedule/), expect.stringMatching(/skipped.*matter/)])
})

/** A log of 50 rows a page, of which two pages are shown. */
async function openTwoPages(rows: number) {
  const log = Array.from({ length: rows }, (_, index) =>
    actionLogRecord({ _id: String(rows - index).padStart(24, '0') })
  )
  const asked: number[] = []
  const app = await createTestApp({
    areas: ['logs'],
    server: ({ url }) => {
      const page = Number(new URL(url, 'http://batti.test').searchParams.get('page') ?? 1)
      asked.push(page)
      const [total, totalPages] = [log.length, Math.ceil(log.length / 50)]
      return { data: { logs: log.slice(50 * (page - 1), 50 * page), total, page, limit: 50, totalPages } }
    }
  })
  app.show(<LogList filters={{ switchId: null, from: null, day: null }} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Show older' }))
  await screen.findByText(`100 of ${rows}`)
  asked.length = 0
  return { log, asked, refetch: () => app.queryClient.invalidateQueries({ queryKey: queryKeys.actionLogs }) }
}

test('from Show older the focus goes to the first row that it has brought, also with the last ones', async () => {
  const row = (number: number) =>
    actionLogRecord({
      _id: String(number).padStart(24, '0'),
      userName: `Person ${number}`,
      switchId: 'a'.repeat(24),
      description: 'Ceiling fan speed set to 140'
    })
  // It is folded into the newer one of the page before.
  const folded = { ...row(2), _id: 'f'.repeat(24) }
  const app = await createTestApp({
    areas: ['logs', 'switches'],
    server: ({ url }) => {
      const page = Number(new URL(url, 'http://batti.test').searchParams.get('page') ?? 1)
      const logs = page === 3 ? [folded, row(3)] : [row(page)]
      return { data: { logs, total: 4, page, limit: 1, totalPages: 3 } }
    }
  })
  app.show(<LogList filters={{ switchId: null, from: null, day: null }} />)
  for (const [number, shown] of [
    [2, 2],
    [3, 4]
  ]) {
    const button = await screen.findByRole('button', { name: 'Show older' })
    button.focus()
    button.click()
    await screen.findByText(`${shown} of 4`)
    expect(document.activeElement).toBe(screen.getByText(`Person ${number}`).closest('li'))
  }
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
})

test('a change requests the first page again, not the older ones', async () => {
  const { log, asked, refetch } = await openTwoPages(150)
  log.unshift(actionLogRecord({ _id: 'f'.repeat(24) }))
  await refetch()
  await screen.findByText('101 of 151')
  expect(asked).toEqual([1])
  fireEvent.click(screen.getByRole('button', { name: 'Show older' }))
  await screen.findByText('150 of 151')
})

test('older rows are all shown though others were deleted elsewhere meanwhile', async () => {
  const { log } = await openTwoPages(150)
  log.splice(10, 2)
  fireEvent.click(screen.getByRole('button', { name: 'Show older' }))
  // The two that are gone are still shown: the page learns of them at its next refetch.
  await screen.findByText('150 of 150')
})

test.each([
  ['a row has gone', (log: unknown[]) => void log.splice(70, 1), '100 of 149'],
  [
    'more rows are new than a page has',
    (log: unknown[]) =>
      void log.unshift(
        ...Array.from({ length: 60 }, (_, index) => actionLogRecord({ _id: `f${index}`.padEnd(24, 'a') }))
      ),
    '100 of 210'
  ]
])('every page is requested again if %s', async (_, change, shown) => {
  const { log, asked, refetch } = await openTwoPages(150)
  change(log)
  await refetch()
  await screen.findByText(shown)
  await waitFor(() => expect(asked).toEqual([1, 2]))
})

test('a switch without a name is called in Nepali as on its card', async () => {
  const logs = [actionLogRecord({ description: 'Switch 3 turned ON' })]
  const app = await createTestApp({
    areas: ['logs', 'devices'],
    language: 'ne',
    server: () => ({ data: { logs, total: 1, page: 1, limit: 50, totalPages: 1 } })
  })
  app.show(<LogList filters={{ switchId: null, from: null, day: null }} />)
  await screen.findByText('स्विच ३ बल्यो')
})
