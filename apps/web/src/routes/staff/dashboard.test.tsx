import type { AttentionRecord, FleetRecord, RolloutRecord } from '@batti/contracts'
import { hourMs } from '@batti/kit/durations'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { cutOf } from '#web/features/staff-dashboard/components/online-chart.tsx'
import { bulkRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './dashboard.tsx'

const now = 1_800_000_000_000
const hours = Array.from({ length: 24 }, (_, index) => new Date(now - (23 - index) * hourMs).toISOString())
const fleet: FleetRecord = {
  boards: 1284,
  online: 1110,
  offline: 150,
  neverSeen: 24,
  weakSignal: 12,
  flapping: 9,
  silent: 14,
  failing: 6,
  outdated: 1033,
  versions: [],
  onlineByHour: hours.map((at, index) => ({ at, online: index < 20 ? 1200 : 1110 })),
  commandsByHour: hours.map((at) => ({ at, confirmed: 1, expired: 0, offline: 0, p95Ms: 90 })),
  byHour: hours.map((at) => ({ at, count: 0 }))
}
const board = (setName: string, reason: AttentionRecord['reason']): AttentionRecord => ({
  device: { _id: setName.padEnd(24, '0'), deviceMac: '34:98:7A:0C:51:E2', setName, owner: { _id: 'o', name: 'Anita' } },
  reason,
  since: hours[3] ?? null,
  online24h: [[hours[0] ?? '', hours[3] ?? '']]
})
/** Worst first, and the score of a board that was never seen is 0. */
const attention = [
  ...Array.from({ length: 100 }, (_, index) => board(`New ${index}`, 'never-seen')),
  board('Gate', 'silent'),
  board('Pump', 'failing'),
  board('Hall', 'outdated')
]
const silent = (count: number) => Array.from({ length: count }, (_, index) => board(`${index} board`, 'silent'))
const none = { page: 1, limit: 20, totalPages: 0, total: 0 }

async function show(
  role: 'admin' | 'monitor',
  permissions: string[] = [],
  totals: object = { totalDevices: 1284, onlineDevices: 1110 },
  found = attention,
  rollouts: RolloutRecord[] = []
) {
  const app = await createTestApp({
    areas: ['staff', 'health', 'table'],
    server: ({ url }) => {
      if (url.includes('/fleet/attention'))
        return {
          data: {
            boards: found.filter(({ reason }) => !url.includes('reason=') || url.includes(reason)).slice(0, 100)
          }
        }
      if (url.includes('/fleet')) return { data: fleet }
      if (url.includes('/rollouts')) {
        const query = new URL(url, 'http://batti.test').searchParams
        const asked = rollouts.filter(({ state }) => query.get('state')?.split(',').includes(state) ?? true)
        return { data: { ...none, rollouts: asked.slice(0, Number(query.get('limit'))), byState: {} } }
      }
      return { data: totals }
    }
  })
  const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role, permissions })
  app.show(<Screen />)
  if ('onlineDevices' in totals) await screen.findByText('Online devices')
  return { ...app, asked: () => app.requests.map(({ url }) => url.replace('/api/v1', '')) }
}
const part = async () => screen.findByRole('region', { name: 'Needs a hand today' })

test('names that may be cut are whole in their titles', async () => {
  await show('admin')
  await within(await part()).findAllByRole('listitem')
  const cut = [...(await part()).querySelectorAll('li .truncate')]
  expect(cut.length).toBe(4)
  expect(cut.map((element) => element.getAttribute('title'))).toEqual(cut.map(({ textContent }) => textContent))
})

test('boards that need a hand today are listed with their last day; older problems are not', async () => {
  await show('admin')
  const rows = await within(await part()).findAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^GatesilentAnita/),
    expect.stringMatching(/^PumpfailingAnita/)
  ])
  expect(
    within(rows[0] ?? document.body)
      .getByRole('img')
      .getAttribute('aria-label')
  ).toMatch(/^Online for .* of the last 24 hours$/)
  fireEvent.click(within(await part()).getByRole('button', { name: /^Failing ?6$/ }))
  await waitFor(async () => expect(within(await part()).getAllByRole('listitem')).toHaveLength(1))
})

test('of many boards the first eight are shown, then the others, from the first of which the keyboard continues', async () => {
  await show('admin', [], undefined, silent(12))
  const more = await within(await part()).findByRole('button', { name: '4 more' })
  expect(within(await part()).getAllByRole('listitem')).toHaveLength(8)
  more.focus()
  fireEvent.click(more)
  const rows = within(await part()).getAllByRole('listitem')
  expect(rows).toHaveLength(12)
  expect(document.activeElement).toBe(rows[8]?.querySelector('a'))
})

test('of more boards than one call returns, no wrong number is left; those of a reason are in the list', async () => {
  await show('admin', [], undefined, silent(500))
  await within(await part()).findByRole('button', { name: 'Show the first 100' })
  fireEvent.click(within(await part()).getByRole('button', { name: /^Silent/ }))
  const all = await within(await part()).findByRole('link', { name: 'All 14 in the list of devices' })
  expect(all.getAttribute('href')).toBe('/admin/devices?health=silent')
})

test('a chart describes in words what it shows, and has its figures as a table', async () => {
  await show('admin')
  await screen.findByText(/^90 gone at once by .*: looks like a power cut$/)
  const chart = screen.getByRole('img', { name: 'Boards online, 24 h' }).closest('figure')
  expect(within(chart ?? document.body).getByText('Show as table')).toBeTruthy()
  expect(within(chart ?? document.body).getAllByRole('row')).toHaveLength(24)
})

test('a fall that may be chance is not described', () => {
  const fall = (...values: number[]) => cutOf(values.map((online) => ({ at: '', online })))
  expect(fall(100, 97, 99)).toBeNull()
  expect(fall(10, 8)).toBeNull()
  expect(fall(100, 100, 101)).toBeNull()
  expect(fall(1000, 951, 903)).toBeNull()
  expect(fall(100, 90, 91)).toEqual({ at: 1, by: 10 })
})

test('a monitor without the right to boards sees only its totals, and nothing else is requested', async () => {
  const { asked } = await show('monitor', ['view users'])
  await screen.findByRole('heading', { level: 1, name: 'Monitor Dashboard' })
  expect(screen.queryByText('Needs a hand today')).toBeNull()
  expect(asked()).toEqual(['/dashboard'])
})

test('a monitor whose permissions open no page is told so, and who can change that', async () => {
  await show('monitor', ['control switches'], {})
  await screen.findByText('Your permissions open no page yet.')
  expect(screen.getByText('An administrator can give you more of them under Monitors.')).toBeTruthy()
})

test('a rollout under way is named by its version, not by its file', async () => {
  const firmware = { kind: 'firmware', fileName: 'batti-wall-4-1.6.0.bin', version: '1.6.0' } as const
  await show('admin', [], undefined, [], [bulkRecord({ ...firmware, state: 'running' })])
  const underWay = await screen.findByRole('region', { name: 'Rollouts under way' })
  expect(within(underWay).getByRole('link', { name: 'batti-wall-4 1.6.0' })).toBeTruthy()
})

test('a rollout under way is shown, however many changes were made and done since it began', async () => {
  const done = Array.from({ length: 500 }, () => bulkRecord({ state: 'done' }))
  await show('admin', [], undefined, [], [...done, bulkRecord({ state: 'asking' })])
  const underWay = await screen.findByRole('region', { name: 'Rollouts under way' })
  expect(within(underWay).getAllByRole('listitem')).toHaveLength(1)
})
