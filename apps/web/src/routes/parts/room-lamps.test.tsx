import type { DeviceRecord, RoomRecord, SwitchRecord } from '@batti/contracts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { tallyRooms } from '#web/features/rooms/room-tally.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { RoomLamps } from './room-lamps.tsx'

const setRoom = { _id: 'r1', roomName: 'Garden' }
const room: RoomRecord = {
  ...setRoom,
  userId: 'u',
  deviceCount: 1,
  onlineCount: 0,
  onCount: 0,
  createdAt: '2026-11-01T00:00:00.000Z'
}

function Garden({ devices }: { devices: readonly DeviceRecord[] }) {
  const lives = useLiveStates(devices.map(({ deviceMac }) => deviceMac))
  return (
    <RoomLamps rooms={[room]} devices={devices} tallies={tallyRooms([room], devices, lives)} onOpen={() => undefined} />
  )
}

async function show(devices: readonly DeviceRecord[], lamps: readonly SwitchRecord[] | 'under way') {
  const app = await createTestApp({
    areas: ['rooms', 'devices', 'switches', 'on-times'],
    // Requests for anything but the lamps are not answered.
    server: (request) =>
      lamps === 'under way' && request.url.includes('/switches')
        ? new Promise(() => {})
        : { status: 503, code: 'UNAVAILABLE', message: 'Away' }
  })
  app.live.seed(devices)
  if (lamps !== 'under way') app.queryClient.setQueryData(queryKeys.mySwitches, lamps)
  app.show(<Garden devices={devices} />)
  return app
}

test('a room whose boards all fail to answer says so, and offers help in place of All OFF', async () => {
  await show([boardRecord({ setRoom, isOnline: false })], [switchRecord({ roomId: setRoom })])
  screen.getByText('No answer')
  expect(screen.getByRole('article').className).toContain('border-dashed')
  expect(screen.queryByRole('button', { name: /^All OFF/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'What to do: Garden' }))
  await screen.findByRole('dialog', { name: 'Living room wall is offline' })
})

test('without a connection a room does not say how many of its boards are online', async () => {
  const devices = [boardRecord({ setRoom })]
  const app = await show(devices, [switchRecord({ roomId: setRoom })])
  screen.getByText('1 device · 1 online')
  app.line.setStatus('reconnecting')
  await screen.findByText('1 device')
})

test('with several silent boards the help is about the room', async () => {
  const boards = [
    boardRecord({ setRoom, isOnline: false }),
    boardRecord({ _id: 'd2', deviceMac: '34:98:7A:0C:51:E3', setRoom, isOnline: false })
  ]
  await show(boards, [switchRecord({ roomId: setRoom })])
  fireEvent.click(screen.getByRole('button', { name: 'What to do: Garden' }))
  await screen.findByRole('dialog', { name: 'Garden is offline' })
})

test('lamps with the same name in a room are shown with their boards, others are not', async () => {
  const lamps = [
    switchRecord({ roomId: setRoom, switchName: '' }),
    switchRecord({ _id: 's2', roomId: setRoom, switchName: 'Switch 1', deviceName: 'Gate post' }),
    switchRecord({ _id: 's3', roomId: setRoom, switchName: 'Pump', switchIndex: 1 })
  ]
  await show([boardRecord({ setRoom })], lamps)
  const rows = screen.getAllByRole('switch').map(({ textContent }) => textContent)
  expect(rows).toEqual(['Switch 1On · Living room wall', 'Switch 1On · Gate post', 'PumpOff'])
})

test('while its lamps are loading a room reserves a place for each of them, so that nothing moves when they appear', async () => {
  await show([boardRecord({ setRoom })], 'under way')
  const outlets = boardRecord().switch.length
  expect(outlets).toBeGreaterThan(1)
  expect(screen.getByRole('article').querySelectorAll('li [aria-hidden="true"].animate-breathe')).toHaveLength(outlets)
})

test('rooms whose lamps failed to load say so, and retry', async () => {
  const app = await createTestApp({
    areas: ['rooms', 'devices', 'switches', 'on-times'],
    server: () => ({ status: 503, code: 'UNAVAILABLE', message: 'Away' })
  })
  app.show(<Garden devices={[boardRecord({ setRoom })]} />)
  await screen.findByText('Failed to fetch switches')
  screen.getByRole('heading', { name: 'Garden' })
  const asked = () => app.requests.filter(({ url }) => url.includes('/switches')).length
  const before = asked()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(asked()).toBe(before + 1))
})
