import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useToasterStore } from 'react-hot-toast'
import { useLocation } from 'react-router-dom'
import { expect, test } from 'vitest'
import type { HttpRequest } from '@batti/client/transport'
import { LogList } from '#web/features/action-logs/components/log-list.tsx'
import { actionLogRecord, boardRecord, scheduleRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { Screen as Devices } from './devices.tsx'
import { Screen as Favorites } from './favorite-switches.tsx'
import { Screen as Home } from './home.tsx'
import { Screen as Rooms } from './rooms.tsx'
import { Screen as Schedules } from './schedules.tsx'
import { Screen as Sessions } from './sessions.tsx'

const Logs = () => <LogList filters={{ switchId: null, from: null, day: null }} />
const areas = [
  'home',
  'devices',
  'switches',
  'rooms',
  'schedules',
  'schedule-list',
  'logs',
  'on-times',
  'profile'
] as const
const home = { favoriteSwitches: [], rooms: [], totalSwitches: 0, totalOnSwitches: 0 }
const forbidden: Answer = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'You do not have permission to perform this action.'
}
const broken: Answer = { status: 500, code: 'INTERNAL', message: 'Something went wrong. Please try again.' }

const failing = (path: string, answer: Answer) => (request: HttpRequest) =>
  new URL(request.url, 'http://home').pathname.endsWith(path) ? answer : { data: home }

test('a home whose boards fail to load says so, never that there are none', async () => {
  const { show } = await createTestApp({ areas, server: failing('/devices', broken) })
  show(<Home />)
  await screen.findByText('Your home did not load')
  expect(screen.queryByText('No boards yet')).toBeNull()
})

test.each([
  ['a refusal', forbidden, /You do not have permission to perform this action\.$/],
  ['a fault of the server', broken, /^Something went wrong\. Please try again\./]
])('the log and the sessions report: %s', async (_, answer, words) => {
  for (const [Page, path] of [
    [Logs, '/switch-action-logs'],
    [Sessions, '/sessions']
  ] as const) {
    const { show } = await createTestApp({ areas, server: failing(path, answer) })
    const { unmount } = show(<Page />)
    expect((await screen.findByText(words)).textContent).not.toContain('no answer')
    unmount()
  }
})

test('a page without an answer says so after ten seconds', async () => {
  const { clock, show } = await createTestApp({ areas, server: () => new Promise(() => {}) })
  show(<Sessions />)
  act(() => clock.advance(10_000))
  expect(screen.getByRole('alert').textContent).toMatch(/10 seconds|answer/)
})

test('an unanswered request is repeated, by the button and automatically', async () => {
  let asked = 0
  const server = () => (++asked < 3 ? new Promise<Answer>(() => {}) : broken)
  const { clock, show } = await createTestApp({ areas, server })
  show(<Sessions />)
  await waitFor(() => expect(asked).toBe(1))
  act(() => clock.advance(10_000))
  await screen.findByText(/^The server gave no answer/)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(asked).toBe(2))
  act(() => clock.advance(10_000))
  await screen.findByText(/^The server gave no answer/)
  act(() => clock.advance(10_000))
  await screen.findByText(/^Something went wrong/)
})

test('a list of switches that is requested without a token says so', async () => {
  const server = (): Answer => ({ status: 401, code: 'UNAUTHENTICATED', message: 'Please log in.' })
  const { show } = await createTestApp({ areas, server })
  show(<Favorites />)
  await screen.findByText('User not authenticated')
})

const row = (id: string, scheduleId: string | undefined, changes = {}) =>
  actionLogRecord({
    _id: id,
    description: `Lamp ${id} turned ON`,
    userName: '',
    from: 'schedule',
    cause: { by: 'schedule', from: 'schedule', ...(scheduleId !== undefined && { scheduleId }) },
    deviceId: boardRecord()._id,
    deviceMac: boardRecord().deviceMac,
    switchIndex: 0,
    switchName: 'Lamp',
    createdAt: '2026-11-20T06:00:00.000Z',
    ...changes
  })

test('the log names the schedule that acted and links to it, or says that it was deleted', async () => {
  const schedules = [scheduleRecord()]
  const logs = [row('1', 'known'), row('2', 'gone'), row('3', undefined)]
  const server = ({ url }: HttpRequest): Answer => {
    if (url.includes('/schedules')) return { data: { schedules, ...page } }
    if (url.includes('/switch-action-logs')) return { data: { logs, ...page } }
    return { data: { switches: [], timezone: 'UTC', ...page } }
  }
  const page = { total: 3, page: 1, limit: 50, totalPages: 1 }
  const { show } = await createTestApp({ areas, server })
  show(<Logs />)
  const link = await screen.findByRole('link', { name: 'Evening on the balcony' })
  expect(link.getAttribute('href')).toBe('/user/schedules?schedule=known')
  screen.getByText('A schedule that is gone')
  screen.getByText('Schedule')
  fireEvent.click(screen.getByRole('button', { name: 'Options of: Lamp 2 turned ON' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await screen.findByText('Are you sure to delete this log?')
})

function Said() {
  const { search } = useLocation()
  const { toasts } = useToasterStore()
  return (
    <>
      <p>{`Address: ${search}`}</p>
      {toasts.map(({ id, message }) => (
        <p key={id}>{typeof message === 'string' && message}</p>
      ))}
    </>
  )
}

test.each([
  ['a board', Devices, 'details', 'Living room wall', 'This board is no longer in your home'],
  ['a schedule', Schedules, 'schedule', 'Edit Schedule', 'This schedule has been deleted'],
  ['a room', Rooms, 'room', 'Living room', 'This room has been deleted']
] as const)('%s that is deleted elsewhere while its sheet is open is reported as deleted', async (...record) => {
  const [, Screen, parameter, title, words] = record
  const id = 'a'.repeat(24)
  const devices = [boardRecord({ _id: id })]
  const schedules = [scheduleRecord({ _id: id })]
  const counts = { deviceCount: 0, onlineCount: 0, onCount: 0 }
  const rooms = [{ _id: id, roomName: 'Living room', ...counts, userId: id, createdAt: '2026-11-20T06:00:00.000Z' }]
  const info = { total: 1, page: 1, limit: 50, totalPages: 1 }
  let lists: Record<string, unknown[]> = { devices, schedules, rooms, switches: [] }
  const server = ({ url }: HttpRequest): Answer => ({
    data: url.endsWith(`/devices/${id}`) ? devices[0] : { ...lists, ...info, upcoming: [] }
  })
  const { queryClient, show } = await createTestApp({
    areas: [...areas, 'device-details', 'colours', 'schedule-list', 'room-changes'],
    server
  })
  show(
    <>
      <main tabIndex={-1}>
        <Screen />
      </main>
      <Said />
    </>,
    `/user/list?${parameter}=${id}`
  )
  await screen.findByRole('dialog', { name: title })
  lists = { devices: [], schedules: [], rooms: [], switches: [] }
  await act(() => queryClient.invalidateQueries())
  await screen.findByText(words)
  await screen.findByText('Address:')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a new schedule says that the switches to choose from are still loading, or did not load', async () => {
  const answer = Promise.withResolvers<Answer>()
  const server = ({ url }: HttpRequest) =>
    url.includes('/switches') ? answer.promise : { data: { schedules: [scheduleRecord()], devices: [] } }
  const { show } = await createTestApp({ areas, server })
  show(<Schedules />)
  fireEvent.click(await screen.findByRole('button', { name: 'Add Schedule' }))
  const box = await screen.findByLabelText('Switch')
  expect(box.textContent).toBe('Loading...')
  answer.resolve(forbidden)
  await screen.findByText('Failed to fetch switches')
  expect(box.textContent).toBe('Choose a switch')
})
