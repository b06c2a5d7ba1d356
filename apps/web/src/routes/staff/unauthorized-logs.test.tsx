import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { unauthorizedLog } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { Screen } from './unauthorized-logs.tsx'

const list = {
  logs: [],
  byBlock: { blocked: 0, unblocked: 0 },
  byHour: [],
  total: 0,
  page: 1,
  limit: 100,
  totalPages: 0
}

test('Refresh stays in the header of an empty list: it adds nothing', async () => {
  const { show } = await createTestApp({
    areas: textsOf('/admin/unauthorized-logs'),
    server: () => ({ data: list })
  })
  show(<Screen />)
  const empty = (await screen.findByText('No unauthorized logs found')).parentElement
  expect(within(empty ?? document.body).queryByRole('button')).toBeNull()
  expect(screen.getByRole('button', { name: 'Refresh' }).ariaBusy).not.toBe('true')
})

test('an address is unblocked only as it is shown: another admin may have blocked it for longer', async () => {
  const until = '2099-01-01T00:00:00.000Z'
  const row = unauthorizedLog({ blocked: true, until })
  const { show, requests } = await createTestApp({
    areas: textsOf('/admin/unauthorized-logs'),
    server: ({ method }) => ({
      data: method === 'patch' ? { ...row, blocked: false, until: null } : { ...list, logs: [row], total: 1 }
    })
  })
  show(<Screen />)
  fireEvent.click(await screen.findByRole('button', { name: /203\.0\.113\.9/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Unblock' }))
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'patch')?.body).toBe(
      JSON.stringify({ blocked: false, seen: { blocked: true, until } })
    )
  )
})
