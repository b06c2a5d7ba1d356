import type { RoomRecord } from '@batti/contracts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DeviceCard } from '#web/features/devices/components/device-card.tsx'
import { RoomChips } from '#web/features/rooms/components/room-chips.tsx'
import { ScheduleCard } from '#web/features/schedules/components/schedule-card.tsx'
import { FavoriteDetails } from '#web/features/switches/components/favorite-details.tsx'
import { LampRow } from '#web/features/switches/components/lamp-row.tsx'
import { SwitchCard } from '#web/features/switches/components/switch-card.tsx'
import { boardRecord, scheduleRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { RemovableChip } from '#web/ui/removable-chip.tsx'
import { RoomBoards } from './parts/room-boards.tsx'
import { Screen as StaffHome } from './staff/home.tsx'

const roomName = 'The dining room above the shop'
const lamp = switchRecord({ status: true, roomId: { _id: 'r1', roomName } })
const board = boardRecord({ setRoom: { _id: 'r1', roomName }, fanIndexes: [], socketIndexes: [] })
const room: RoomRecord = {
  _id: 'r1',
  roomName,
  userId: 'u',
  deviceCount: 1,
  onlineCount: 1,
  onCount: 1,
  createdAt: '2026-11-01T00:00:00.000Z'
}
const evening = scheduleRecord({
  deviceId: { _id: board._id, deviceName: 'Wall fan', setName: 'Living room wall' },
  switchId: { _id: lamp._id, switchName: lamp.switchName }
})
const nothing = () => {}

async function show() {
  const app = await createTestApp({
    areas: ['devices', 'switches', 'rooms', 'schedules', 'dashboard', 'on-times', 'home', 'table'],
    server: () => ({ data: { favoriteSwitches: [lamp], rooms: [room], totalSwitches: 1, totalOnSwitches: 1 } })
  })
  app.live.seed([board])
  const since = app.clock.now() - 86_400_000
  app.show(
    <>
      <SwitchCard record={lamp} command="id" />
      <DeviceCard device={board} onOpen={nothing} actions={null} />
      <ScheduleCard schedule={evening} isFlipping={false} onEdit={nothing} onDelete={nothing} onFlip={nothing} />
      <FavoriteDetails records={[lamp]} />
      <RoomChips rooms={[room]} tallies={new Map()} label="Rooms" />
      <LampRow record={lamp} onSince={since} />
      <RoomBoards devices={[board]} onAddSchedule={nothing} />
      <StaffHome />
      <RemovableChip label={roomName} onRemove={nothing} />
    </>
  )
  await screen.findByText('Welcome to our smart switch')
}

test('a name that may be cut is complete in its title', async () => {
  await show()
  const cut = [...document.querySelectorAll('.truncate, .line-clamp-2')]
  expect(cut.length).toBe(19)
  expect(
    cut.filter((element) => element.getAttribute('title') !== element.textContent).map((one) => one.outerHTML)
  ).toEqual([])
})
