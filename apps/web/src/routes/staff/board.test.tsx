import { screen, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { expect, test } from 'vitest'
import { boardRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './board.tsx'

const now = 1_800_000_000_000
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
const nothing = { presence: [], rssi: [], boots: [], commands: [] }

async function open(board: ReturnType<typeof boardRecord>, history: object = nothing) {
  const app = await createTestApp({
    areas: textsOf('/admin/devices/:id'),
    server: ({ url }) => {
      if (url.includes('/history')) return { data: history }
      if (url.includes('/events')) return { data: { events: [], total: 0, page: 1, limit: 50, totalPages: 0 } }
      return url.includes(`/devices/${board._id}`) ? { data: board } : { data: {} }
    }
  })
  app.session.signIn(
    { accessToken: accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' },
    { ...sita, role: 'admin' }
  )
  app.show(
    <Routes>
      <Route path="/admin/devices/:id" element={<Screen />} />
    </Routes>,
    `/admin/devices/${board._id}`
  )
  await screen.findByRole('heading', { level: 1, name: 'Living room wall' })
}

test('an offline board says so before its health, and not that there is no problem', async () => {
  await open(boardRecord({ isOnline: false, onlineChangedAt: ago(2) }))
  expect(screen.getByText(/^Offline since .+\. Health 100\.$/)).toBeTruthy()
  expect(screen.queryByText(/Nothing is wrong/)).toBeNull()
})

test('a board that was always online has no disconnect, is not shown as offline before it was added, and had no commands', async () => {
  const presence = [[ago(12), ago(0.01)]]
  const board = boardRecord({ createdAt: ago(12), onlineChangedAt: ago(12) })
  await open(board, { ...nothing, presence })
  expect(await screen.findByText('no disconnects')).toBeTruthy()
  const band = screen.getByRole('img', { name: 'Online 100%' })
  const [hatched, online] = [...band.children].map((part) => (part instanceof HTMLElement ? part.style.left : ''))
  expect([hatched, online]).toEqual(['50%', '50%'])
  expect(screen.getByText('No commands')).toBeTruthy()
  expect(screen.queryByText('all confirmed')).toBeNull()
})

test('the table of a board’s day shows for each command who sent it and how long it took', async () => {
  const commands = [
    { at: ago(2), result: 'confirmed', ms: 210, by: 'Sita Rai' },
    { at: ago(1), result: 'expired', ms: null, by: null }
  ]
  await open(boardRecord(), { ...nothing, commands })
  const table = await screen.findByRole('table', { hidden: true })
  const rows = within(table).getAllByRole('row', { hidden: true }).slice(1)
  expect(rows.map((row) => within(row).getAllByRole('cell', { hidden: true }).at(-1)?.textContent)).toEqual([
    '',
    'Sita Rai, 210 ms'
  ])
})

test('a board that fails to load keeps the page’s title and the link back', async () => {
  const app = await createTestApp({
    areas: textsOf('/admin/devices/:id'),
    server: () => ({ status: 500, code: 'INTERNAL', message: 'Sorry.' })
  })
  app.show(
    <Routes>
      <Route path="/admin/devices/:id" element={<Screen />} />
    </Routes>,
    `/admin/devices/${boardRecord()._id}`
  )
  await screen.findByRole('alert')
  expect(screen.getByRole('heading', { level: 1, name: 'Board' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Devices' })).toBeTruthy()
})
