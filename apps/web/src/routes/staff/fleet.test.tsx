import type { FleetRecord } from '@batti/contracts'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './fleet.tsx'

const now = 1_800_000_000_000
const hours = Array.from({ length: 24 }, (_, index) => new Date(now - (23 - index) * 3_600_000).toISOString())
const run = (osVersion: string, count: number) => ({ hwModel: 'batti-wall-fan', osVersion, count })
const fleet: FleetRecord = {
  boards: 10,
  online: 6,
  offline: 3,
  neverSeen: 1,
  weakSignal: 2,
  flapping: 0,
  silent: 1,
  failing: 0,
  outdated: 4,
  versions: [run('1.9.9', 1), run('1.10.0', 8)],
  onlineByHour: hours.map((at) => ({ at, online: 6 })),
  commandsByHour: hours.map((at, index) => ({ at, confirmed: 5, expired: index === 3 ? 2 : 0, offline: 1, p95Ms: 90 })),
  byHour: hours.map((at) => ({ at, count: 0 }))
}

async function show() {
  const app = await createTestApp({
    areas: ['staff', 'health', 'table', 'fleet-page'],
    server: ({ url }) => ({ data: url.includes('attention') ? { boards: [] } : fleet })
  })
  const token = accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role: 'admin' })
  app.show(<Screen />)
  await screen.findByText('No board needs a hand.')
}

test('each figure links to the boards that it counts', async () => {
  await show()
  const figure = (label: string) => screen.getByText(label, { selector: 'a > span' }).closest('a')
  expect(figure('Outdated')?.textContent).toBe('Outdated4')
  expect(figure('Outdated')?.getAttribute('href')).toBe('/admin/devices?health=outdated')
  // Four are not online, one of them was never seen: the list shows the same.
  expect(figure('Offline')?.textContent).toBe('Offline4')
})

test('versions are newest first and link to their boards; the link’s name says the model too', async () => {
  await show()
  const rows = within(screen.getByRole('region', { name: 'Firmware versions' })).getAllByRole('link')
  expect(rows.map((row) => row.textContent)).toEqual(['batti-wall-fan 1.10.08 boards', 'batti-wall-fan 1.9.91 board'])
  expect(rows[0]?.getAttribute('href')).toBe('/admin/devices?hwModel=batti-wall-fan&osVersion=1.10.0')
})

test('commands show how many got no answer, and in which hour as a table', async () => {
  await show()
  const chart = screen.getByText('122 sent, 2 without an answer').closest('figure')
  const rows = within(chart ?? document.body).getAllByRole('row')
  expect(rows).toHaveLength(25)
  expect(rows[4]?.textContent).toMatch(/52190 ms$/)
})

test('an answer of another version is called that, and not a missing one', async () => {
  const app = await createTestApp({
    areas: ['staff', 'health', 'table', 'fleet-page'],
    server: () => ({ data: { count: 10 } })
  })
  const token = accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role: 'admin' })
  app.show(<Screen />)
  const [page] = await screen.findAllByRole('alert')
  expect(page?.textContent).toContain('This page cannot read the answer of the server. Reload it')
  expect(page?.textContent).not.toContain('no answer')
})
