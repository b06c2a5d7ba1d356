import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, test, vi } from 'vitest'
import { boardRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { deviceKey } from '#web/features/devices/api/get-device.ts'
import { deviceUpdateKey } from '#web/lib/live/device-update.ts'
import { liveDeviceKey } from '#web/lib/live/live-devices.ts'
import { textsOf } from '#web/test/texts-of.ts'
import { accessToken } from '#web/test/tokens.ts'
import { Screen } from './board.tsx'

const now = 1_800_000_000_000
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
const choice = {
  filename: 'wall-fan-1.2.0.bin',
  version: '1.2.0',
  size: 900_000,
  signed: true,
  createdAt: ago(24)
}
const nothing = { presence: [], rssi: [], boots: [], commands: [] }

async function open(
  first: ReturnType<typeof boardRecord>,
  history: Answer | Promise<Answer> = { data: nothing },
  language: 'en' | 'ne' = 'en',
  events: readonly object[] = []
) {
  let board = first
  const app = await createTestApp({
    language,
    areas: textsOf('/admin/devices/:id'),
    server: ({ url, method, body }) => {
      if (url.includes('/history')) return history
      if (method === 'patch' && typeof body === 'string') board = { ...board, ...JSON.parse(body) }
      if (url.includes('/update-device-firmware')) return { data: [choice] }
      if (url.includes('/events')) return { data: { events, total: 0, page: 1, limit: 50, totalPages: 0 } }
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
  return app
}

test('an offline board says so before its health, and not that there is no problem', async () => {
  await open(boardRecord({ isOnline: false, onlineChangedAt: ago(2) }))
  expect(screen.getByText(/^Offline since .+\. Health 100\.$/)).toBeTruthy()
  expect(screen.queryByText(/Nothing is wrong/)).toBeNull()
})

test.each([
  ['yellow', 'पहेँलो'],
  ['#ffb020', '#ffb020']
])('in Nepali the colour %s of a board is called %s', async (activeColor, name) => {
  await open(boardRecord({ activeColor }), { data: nothing }, 'ne')
  expect(await screen.findByText(name)).toBeTruthy()
})

test('a board that restarts for its update is not said to be offline', async () => {
  const firmware = { id: 'u', version: '2.0.0', phase: 'reboot', percent: 100 } as const
  await open(boardRecord({ isOnline: false, onlineChangedAt: ago(0.01), firmware }))
  screen.getByText('Restarting for its update. Health 100.')
  expect(screen.queryByText(/Offline/)).toBeNull()
})

test('a board that was always online has no disconnect, is not shown as offline before it was added, and had no commands', async () => {
  const presence = [[ago(12), ago(0.01)]]
  const board = boardRecord({ createdAt: ago(12), onlineChangedAt: ago(12) })
  await open(board, { data: { ...nothing, presence } })
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
  await open(boardRecord(), { data: { ...nothing, commands } })
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

test('a page of a board that is offline knows since when, though the snapshot does not tell', async () => {
  const board = boardRecord({ isOnline: false, onlineChangedAt: ago(2) })
  const app = await open(board)
  app.line.emitSnapshot({ ...board, at: board.stateAt })
  const live = app.queryClient.getQueryData(liveDeviceKey(board.deviceMac))
  expect(live).toMatchObject({ isFresh: true, onlineChangedAt: Date.parse(ago(2)) })
})

test('a board that another admin moves is followed again: it remains on the page', async () => {
  const board = boardRecord()
  const app = await open(board)
  await screen.findByText('Online', { selector: 'header *' })
  const join = vi.spyOn(app.connection, 'join')
  // As the event does: the room is left, the state dropped, and the record read again.
  app.queryClient.removeQueries({ queryKey: liveDeviceKey(board.deviceMac) })
  app.queryClient.setQueryData(deviceKey(board._id), { ...board, isOnline: false, setName: 'Moved' })
  await screen.findByRole('heading', { level: 1, name: 'Moved' })
  expect(join).toHaveBeenCalledWith(board.deviceMac)
})

test('the page shows at once what an admin has edited of its board', async () => {
  await open(boardRecord())
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  fireEvent.change(await screen.findByLabelText('Firmware'), { target: { value: '1.9.9' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('1.9.9')).toBeTruthy()
})

test('what a board has reported under an open form is not set back by it', async () => {
  const board = boardRecord()
  const app = await open(board)
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  const code = await screen.findByLabelText('Remote code')
  const reported = { ...board, setName: 'Hall', osVersion: '2.0.0', wifiSSID: 'Other network' }
  act(() => void app.queryClient.setQueryData(deviceKey(board._id), reported))
  await screen.findByRole('heading', { level: 1, name: 'Hall', hidden: true })
  fireEvent.change(code, { target: { value: 'R7' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  const sent = () => app.requests.filter(({ method }) => method === 'patch').map(({ body }) => body)
  await waitFor(() => expect(sent()).toEqual(['{"remoteCode":"R7"}']))
})

test('until the history is there, a reason is told without a figure', async () => {
  const reasons = ['flapping', 'failing', 'weak'] as const
  await open(boardRecord({ health: { score: 40, reasons: [...reasons] } }), new Promise(() => {}))
  const line = screen.getByText(/^Health 40/).closest('p')
  expect(line?.textContent).toBe(
    'Health 40. Flapping: it connects again and again. Failing: commands get no answer. Weak: its signal is below −80 dBm.'
  )
})

describe('an update that failed before the page was opened', () => {
  const failed = { at: ago(2), kind: 'firmware', detail: 'failed: checksum' }
  const outcome = (text: string) => screen.findByText(text, { exact: false, selector: '[role=status]' })

  test('is told with its reason, until the next one begins', async () => {
    const online = { at: ago(1), kind: 'online', detail: null }
    const app = await open(boardRecord(), undefined, 'en', [online, failed])
    await outcome('Failed: The image arrived damaged. The board works as before; try again with “Update”.')
    const next = { id: 'c'.repeat(26), version: '1.1.0', percent: 0, phase: 'download' }
    app.queryClient.setQueryData(deviceUpdateKey(boardRecord().deviceMac), next)
    await waitFor(() => expect(screen.queryByText(/The board works as before/)).toBeNull())
  })

  test('is told in Nepali', async () => {
    await open(boardRecord(), undefined, 'ne', [failed])
    expect(await outcome('भएन: फाइल बिग्रिएर आयो। बोर्ड पहिले जस्तै चल्छ; “अद्यावधिक” थिचेर फेरि प्रयास गर्नुहोस्।')).toBeTruthy()
  })

  test('is not told after a later one, nor of an offline board', async () => {
    await open(boardRecord(), undefined, 'en', [{ at: ago(1), kind: 'firmware', detail: 'done' }, failed])
    await screen.findByText('Done')
    expect(screen.queryByText(/The board works as before/)).toBeNull()
    cleanup()
    await open(boardRecord({ isOnline: false }), undefined, 'en', [failed])
    await screen.findByText('Failed: The image arrived damaged')
    expect(screen.queryByText(/The board works as before/)).toBeNull()
  })
})

describe('the dialog of an update', () => {
  const { deviceMac } = boardRecord()
  const update = { id: 'c'.repeat(26), version: '1.1.0', percent: 0 }
  const openDialog = () => fireEvent.click(screen.getByRole('button', { name: 'Update' }))
  const startButton = () => within(screen.getByRole('dialog')).queryByRole('button', { name: 'Update' })

  test('offers the next one, where another has ended before', async () => {
    const app = await open(boardRecord())
    app.queryClient.setQueryData(deviceUpdateKey(deviceMac), { ...update, phase: 'failed' })
    openDialog()
    fireEvent.click(await screen.findByRole('radio', { name: /1\.2\.0/ }))
    expect(startButton()).not.toBeNull()
  })

  test('shows how one ended that somebody only watched', async () => {
    const app = await open(boardRecord())
    app.queryClient.setQueryData(deviceUpdateKey(deviceMac), { ...update, phase: 'install' })
    openDialog()
    await screen.findByRole('list', { name: 'Progress of the update' })
    app.queryClient.setQueryData(deviceUpdateKey(deviceMac), { ...update, phase: 'done' })
    expect(await screen.findByText(/1\.1\.0/, { selector: '[role=status] p' })).toBeTruthy()
    expect(startButton()).toBeNull()
  })
})
