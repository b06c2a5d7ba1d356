import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { Screen as Home } from './home.tsx'

const areas = ['home', 'rooms', 'devices', 'switches', 'schedules', 'on-times'] as const

// Loaded already, so that a home that shows it does so with the rest.
beforeAll(() => import('#web/routes/parts/loose-switches.tsx'))

afterEach(() => {
  vi.unstubAllGlobals()
})

async function openHome(setRoom: { _id: string; roomName: string } | null) {
  const lamp = switchRecord({ switchName: 'Gate lamp', roomId: setRoom, isFavorite: false })
  const app = await createTestApp({
    areas,
    server: ({ url }) =>
      url.includes('/devices')
        ? { data: { devices: [boardRecord({ setRoom })], total: 1, page: 1, limit: 500, totalPages: 1 } }
        : { data: { favoriteSwitches: [], rooms: [], totalSwitches: 1, totalOnSwitches: 0 } }
  })
  app.queryClient.setQueryData(queryKeys.mySwitches, [lamp])
  app.show(<Home />)
  await screen.findByText('No favourite switches yet')
}

test('a home with one board in no room, and without favourites, shows its lamp on Home', async () => {
  await openHome(null)
  const loose = await screen.findByRole('list', { name: 'Not in a room' })
  within(loose).getByText('Gate lamp')
})

test('a board in a room is not listed as being in none', async () => {
  await openHome({ _id: '65f000000000000000000031', roomName: 'Hall' })
  expect(screen.queryByRole('list', { name: 'Not in a room' })).toBeNull()
})

test('a favourite shows since when it is on; one with a level shows that', async () => {
  const now = Date.parse('2026-11-28T04:00:00Z')
  const lamp = switchRecord({ status: true })
  const fan = switchRecord({ _id: 'eeeeeeeeeeeeeeeeeeeeeee3', switchName: 'Fan', switchIndex: 2, type: 'fan' })
  const onTimes = [lamp, fan].map(({ _id: switchId, switchName }) => ({
    switchId,
    switchName,
    days: [{ date: '2026-11-22', seconds: 0 }],
    spans: [{ from: now - 86_400_000, to: now }]
  }))
  const board = boardRecord({ switch: [true, false, true, false], speed: [0, 0, 140, 0] })
  const app = await createTestApp({
    areas,
    server: ({ url }) =>
      url.includes('/devices')
        ? { data: { devices: [board], total: 1, page: 1, limit: 500, totalPages: 1 } }
        : url.includes('/switch-on-times')
          ? { data: { timezone: 'Asia/Kathmandu', switches: onTimes } }
          : { data: { favoriteSwitches: [lamp, fan], rooms: [], totalSwitches: 4, totalOnSwitches: 2 } }
  })
  app.clock.step(now - app.clock.now())
  app.serverTime.heard(new Date(now).toUTCString())
  app.live.seed([board])
  app.show(<Home />)
  await screen.findByText(/^On since 27 Nov/)
  screen.getByText('Speed 140')
})

test.each([
  ['below the rooms’ chips on a phone', false, ['Rooms', 'Favourite Switches']],
  ['above the rooms on a wide screen, where each room is a card', true, ['Favourite Switches', 'Rooms']]
])('favourites are %s', async (_where, matches, order) => {
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener: () => {}, removeEventListener: () => {} }))
  const room = {
    _id: '65f000000000000000000031',
    roomName: 'Hall',
    deviceCount: 1,
    onlineCount: 1,
    onCount: 0,
    userId: 'aaaaaaaaaaaaaaaaaaaaaaaa',
    createdAt: '2026-01-01T00:00:00.000Z'
  }
  const app = await createTestApp({
    areas,
    server: ({ url }) =>
      url.includes('/devices')
        ? { data: { devices: [boardRecord({ setRoom: room })], total: 1, page: 1, limit: 500, totalPages: 1 } }
        : { data: { favoriteSwitches: [switchRecord()], rooms: [room], totalSwitches: 1, totalOnSwitches: 0 } }
  })
  app.show(<Home />)
  await screen.findByRole('heading', { level: 2, name: 'Favourite Switches' })
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(order)
})
