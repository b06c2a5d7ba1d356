import type { DeviceRecord } from '@batti/contracts'
import { hourMs } from '@batti/kit/durations'
import { networkError } from '@batti/client/transport'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { boardRecord, bulkRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { narrowScreen } from '#web/lib/use-media.ts'
import { Screen } from './devices.tsx'

const now = 1_800_000_000_000
const owner = { _id: 'f'.repeat(24), name: 'Sita' }
const boards: DeviceRecord[] = ['Gate', 'Hall', 'Shed'].map((setName, index) =>
  boardRecord({
    _id: String(index).repeat(24),
    deviceMac: `34:98:7A:00:00:0${index}`,
    setName,
    userId: owner,
    isOnline: index !== 2,
    onlineChangedAt: new Date(now - hourMs).toISOString(),
    wifiRSSI: -83,
    health: index === 0 ? { score: 60, reasons: ['silent'] } : { score: 100, reasons: [] }
  })
)
const fleet = {
  boards: 212,
  online: 200,
  offline: 10,
  neverSeen: 2,
  weakSignal: 3,
  flapping: 0,
  silent: 1,
  failing: 0,
  outdated: 40,
  versions: [{ hwModel: 'batti-wall-fan', osVersion: '1.4.2', count: 3 }],
  onlineByHour: [],
  commandsByHour: [],
  byHour: []
}
const bulkId = '65a0000000000000000000b1'
function Where() {
  return <output data-testid="where">{decodeURIComponent(useLocation().search)}</output>
}

const bodyOf = (request: { body: unknown } | undefined): unknown =>
  typeof request?.body === 'string' ? JSON.parse(request.body) : null

async function show(role: 'admin' | 'monitor' = 'admin', at = '/admin/devices', previews: Answer[] = []) {
  const gone = new Set<string>()
  const lost = new Set<string>()
  const app = await createTestApp({
    areas: ['table', 'rules', 'staff', 'fleet', 'colours', 'devices', 'health', 'switches', 'users'],
    server: ({ url, method, body }) => {
      if (url.includes('/fleet')) return { data: fleet }
      const isOfGone = typeof body === 'string' && [...gone].some((id) => body.includes(id))
      if (url.includes('/bulk/devices') && isOfGone)
        return { status: 404, code: 'NOT_FOUND', message: 'Device was not found.' }
      if (url.includes('/bulk/devices?preview'))
        return previews.shift() ?? { data: { total: 210, excluded: [{ reason: 'busy', count: 2 }] } }
      if (method === 'delete') gone.add(url.slice(-24))
      if (method === 'post' && lost.has(url)) return Promise.reject(networkError(null))
      if (method === 'post') return { data: { id: bulkId, total: 210 } }
      if (url.includes(`/rollouts/${bulkId}`)) return { data: bulkRecord({ _id: bulkId, total: 210 }) }
      if (url.includes('/rollouts?')) {
        const made = bulkRecord({
          _id: bulkId,
          total: 210,
          createdAt: new Date(now).toISOString(),
          createdBy: sita._id
        })
        return { data: { rollouts: [made], byState: {}, total: 1, page: 1, limit: 20, totalPages: 1 } }
      }
      if (url.includes('/device-types'))
        return { data: { deviceTypes: [], total: 0, page: 1, limit: 1, totalPages: 1 } }
      if (url.includes('/rooms')) return { data: { rooms: [], total: 0, page: 1, limit: 1, totalPages: 1 } }
      return {
        data: {
          devices: url.includes('health=weak') ? [] : boards.filter(({ _id }) => !gone.has(_id)),
          total: 212,
          page: 1,
          limit: 100,
          totalPages: 3
        }
      }
    }
  })
  const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role, permissions: ['view devices'] })
  app.show(
    <main>
      <Screen />
      <Where />
    </main>,
    at
  )
  await screen.findByText('Gate')
  return { ...app, gone, lost, where: () => screen.getByTestId('where').textContent }
}
const chip = (name: RegExp) =>
  within(screen.getByRole('group', { name: 'Boards by state' })).getByRole('button', { name })

test('chips have the counts of the fleet; one at a time narrows the list, in the address', async () => {
  const { where, requests } = await show()
  await screen.findByRole('button', { name: /^All ?212$/ })
  expect(chip(/^Offline ?12$/)).toBeTruthy()
  fireEvent.click(chip(/^Outdated/))
  await waitFor(() => expect(where()).toBe('?health=outdated'))
  fireEvent.click(chip(/^Online/))
  await waitFor(() => expect(where()).toBe('?status=online'))
  expect(chip(/^Online/).getAttribute('aria-pressed')).toBe('true')
  await waitFor(() => expect(requests.some(({ url }) => url.includes('status=online&page=1'))).toBe(true))
})

test('chips are not counted beside a search, which would be repeated for each of them', async () => {
  const { requests } = await show('admin', '/admin/devices?search=gate')
  expect(chip(/^Offline$/)).toBeTruthy()
  const counts = () => requests.filter(({ url }) => url.includes('/devices?') && url.endsWith('limit=1'))
  expect(counts()).toEqual([])
})

test('what the server would refuse in an address limits nothing, and is not shown as set', async () => {
  const { requests } = await show('admin', `/admin/devices?userId=zz&page=9999999&search=${'x'.repeat(201)}`)
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
  expect(screen.queryByRole('button', { name: /^Remove / })).toBeNull()
  const lists = requests.filter(({ url }) => url.endsWith('limit=100')).map(({ url }) => url.split('?')[1])
  expect(lists).toEqual(['page=1&limit=100'])
})

test('a chip without matches says what that means, but not beside typed text', async () => {
  await show('admin', '/admin/devices')
  fireEvent.click(chip(/^Weak/))
  await screen.findByText('No device is weak')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
  await screen.findByText('Gate')
  fireEvent.click(chip(/^Offline/))
  await screen.findByText('Gate')
  // The typed text matches none of the loaded rows.
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'no such board' } })
  await screen.findByText('No devices found')
  expect(screen.queryByText('No device is offline')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
  await screen.findByText('Gate')
})

test('health says what the problem is', async () => {
  await show()
  const row = screen.getByText('Gate').closest('tr')
  expect(row?.textContent).toMatch(/60silent/)
})

test('all boards of the filter are changed by one call, whose dialog showed their number before', async () => {
  const { requests } = await show('admin', '/admin/devices?status=online')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Gate' }))
  const bar = within(screen.getByRole('region', { name: 'Selection' }))
  fireEvent.click(bar.getByRole('button', { name: 'Select all 212' }))
  fireEvent.click(bar.getByRole('button', { name: 'Time zone' }))
  const dialog = await screen.findByRole('dialog', { name: 'Time zone' })
  await within(dialog).findByText('210 boards will be changed. 2 are left out: something else is being done to them.')
  fireEvent.change(within(dialog).getByLabelText('Time zone'), { target: { value: 'Asia/Kolkata' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Change 210 boards' }))
  await waitFor(() =>
    expect(requests.filter(({ method, url }) => method === 'post' && url.endsWith('/bulk/devices'))).toHaveLength(1)
  )
  const sent = requests.find(({ method, url }) => method === 'post' && url.endsWith('/bulk/devices'))
  expect(bodyOf(sent)).toEqual({ filter: { status: 'online' }, set: { timezone: 'Asia/Kolkata' } })
  await screen.findByText('0 of 210 done')
})

test('a bulk change whose answer was lost is found, and its progress is shown', async () => {
  const { requests, lost } = await show()
  lost.add('/api/v1/bulk/devices')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Gate' }))
  const bar = within(screen.getByRole('region', { name: 'Selection' }))
  fireEvent.click(bar.getByRole('button', { name: 'Time zone' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Change 210 boards' }))
  await screen.findByText('0 of 210 done')
  expect(requests.filter(({ url }) => lost.has(url))).toHaveLength(1)
})

test('the number of changed boards is requested again if that failed', async () => {
  const busy = { status: 409, code: 'CONFLICT', message: 'Not now.' }
  await show('admin', '/admin/devices', [busy])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Hall' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Shed' }))
  fireEvent.click(within(screen.getByRole('region', { name: 'Selection' })).getByRole('button', { name: 'Time zone' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect((await dialog.findByRole('alert')).textContent).toBe('Not now.')
  expect(dialog.queryByRole('button', { name: /^Change/ })).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }))
  await dialog.findByRole('button', { name: 'Change 210 boards' })
  expect(dialog.queryByRole('alert')).toBeNull()
})

test('a selected board that another admin has deleted leaves the change and the list', async () => {
  const { requests, gone } = await show()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Hall' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Shed' }))
  gone.add(boards[1]?._id ?? '')
  fireEvent.click(within(screen.getByRole('region', { name: 'Selection' })).getByRole('button', { name: 'Time zone' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText(/^210 boards will be changed/)
  const asked = requests.filter(({ url }) => url.includes('preview')).map(bodyOf)
  expect(asked.at(-1)).toMatchObject({ deviceIds: [boards[2]?._id] })
  expect(screen.queryByText('Hall')).toBeNull()
})

test('Enter in a field of a bulk change sends it, as in every form', async () => {
  const { requests } = await show()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Hall' }))
  fireEvent.click(within(screen.getByRole('region', { name: 'Selection' })).getByRole('button', { name: 'Time zone' }))
  const dialog = within(await screen.findByRole('dialog'))
  const change = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Change 210 boards' })
  const form = dialog.getByLabelText<HTMLInputElement>('Time zone').form
  // jsdom submits a form on no key, but by the button that a browser presses for Enter.
  expect(change.type).toBe('submit')
  expect(change.form === form).toBe(true)
  fireEvent.submit(form ?? document.body)
  await screen.findByText('0 of 210 done')
  expect(requests.some(({ method, url }) => method === 'post' && url.endsWith('/bulk/devices'))).toBe(true)
})

test('two boards are named; the rooms are those of their one owner', async () => {
  const { requests } = await show()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Hall' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Shed' }))
  fireEvent.click(within(screen.getByRole('region', { name: 'Selection' })).getByRole('button', { name: 'Room' }))
  await waitFor(() => expect(requests.some(({ url }) => url.includes(`/rooms?userId=${owner._id}`))).toBe(true))
  const preview = requests.find(({ url }) => url.includes('preview'))
  expect(bodyOf(preview)).toMatchObject({ deviceIds: [boards[1]?._id, boards[2]?._id] })
})

test('selected boards are put into a new rollout, by name or by the filter of the list', async () => {
  const { where } = await show('admin', '/admin/devices?status=online')
  const bar = () => within(screen.getByRole('region', { name: 'Selection' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Hall' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Shed' }))
  fireEvent.click(bar().getByRole('button', { name: 'Update firmware' }))
  await waitFor(() => expect(where()).toBe(`?deviceIds=${boards[1]?._id},${boards[2]?._id}`))
})

test('all boards of a filter are put into a new rollout as that filter', async () => {
  const { where } = await show('admin', '/admin/devices?status=online&sort=-health')
  const bar = () => within(screen.getByRole('region', { name: 'Selection' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Gate' }))
  fireEvent.click(bar().getByRole('button', { name: 'Select all 212' }))
  fireEvent.click(bar().getByRole('button', { name: 'Update firmware' }))
  await waitFor(() => expect(where()).toBe('?status=online'))
})

test('a board that is added without its MAC requires all fields; an invalid MAC gets an example', async () => {
  await show()
  fireEvent.click(screen.getByRole('button', { name: 'Add Device' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Device' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Add Device' }))
  await waitFor(() => expect(dialog.getAllByText('All fields are required')).toHaveLength(3))
  fireEvent.change(dialog.getByLabelText('MAC'), { target: { value: 'aabb' } })
  await dialog.findByText('must be a MAC address such as 34:98:7A:0C:51:E2')
})

test('an empty form moves the focus to the first invalid field, also to a picker', async () => {
  await show()
  fireEvent.click(screen.getByRole('button', { name: 'Add Device' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Device' }))
  const submit = dialog.getByRole('button', { name: 'Add Device' })
  await waitFor(() => expect(document.activeElement).toBe(dialog.getAllByRole('combobox')[0]))
  submit.focus()
  fireEvent.click(submit)
  await dialog.findAllByRole('alert')
  await waitFor(() => expect(document.activeElement).toBe(dialog.getAllByRole('combobox')[0]))
})

test('when a board is deleted the focus moves to the row that takes its place', async () => {
  await show()
  const menu = screen.getByRole('button', { name: /^Actions for Hall/ })
  menu.focus()
  fireEvent.click(menu)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const question = within(await screen.findByRole('alertdialog'))
  fireEvent.click(question.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Shed').closest('tr')))
})

test('a monitor can change nothing', async () => {
  await show('monitor', '/monitor/devices')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Gate' }))
  const bar = within(screen.getByRole('region', { name: 'Selection' }))
  expect(bar.getAllByRole('button').map((button) => button.textContent)).toEqual(['Copy MACs', ''])
  expect(screen.queryByRole('button', { name: 'Add Device' })).toBeNull()
})

test('a card says since when its board is offline, in place of the last signal', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === narrowScreen,
    addEventListener: () => null,
    removeEventListener: () => null
  }))
  await show()
  const cards = await screen.findByRole('list', { name: 'Devices' })
  const [online, , offline] = within(cards).getAllByRole('listitem')
  expect(online?.textContent).toContain('−83 dBm')
  expect(offline?.textContent).toMatch(/Offline since \d\d:\d\d/)
  expect(offline?.textContent).not.toContain('dBm')
})
