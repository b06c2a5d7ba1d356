import type { RoomRecord } from '@batti/contracts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { StaffRoomViewDialog } from './room-view-dialog.tsx'

const kitchen: RoomRecord = {
  _id: 'k',
  roomName: 'Kitchen',
  deviceCount: 0,
  onlineCount: 0,
  onCount: 0,
  userId: 'c'.repeat(24),
  owner: { _id: 'c'.repeat(24), name: 'Anita Gurung' },
  createdAt: '2026-11-01T00:00:00.000Z'
}
const info = { page: 1, limit: 500, totalPages: 1 }

test('a monitor who may not see people reads whose room it is, as in the list', async () => {
  const app = await createTestApp({
    areas: ['staff', 'fleet', 'devices', 'table'],
    server: () => ({ data: { ...info, devices: [], total: 0 } })
  })
  const now = app.clock.now()
  const token = accessToken({ role: 'monitor', iatMs: now, expMs: now + 900_000 })
  const permissions = ['view devices']
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role: 'monitor', permissions })
  app.show(<StaffRoomViewDialog room={kitchen} onClose={() => undefined} />)
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('OwnerAnita Gurung')
})

test('a board of the room that restarts for its update is not called offline', async () => {
  const app = await createTestApp({
    areas: ['staff', 'fleet', 'devices', 'table'],
    server: () => ({ data: { ...info, devices: [restarting()], total: 1 } })
  })
  const restarting = () =>
    boardRecord({
      isOnline: false,
      onlineChangedAt: new Date(app.clock.now()).toISOString(),
      firmware: { id: 'u', version: '2.0.0', phase: 'reboot', percent: 100 }
    })
  app.show(<StaffRoomViewDialog room={kitchen} onClose={() => undefined} />)
  await screen.findByText('Restarting')
})
