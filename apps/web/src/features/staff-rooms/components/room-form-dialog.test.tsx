import type { RoomRecord } from '@batti/contracts'
import { networkError } from '@batti/client/transport'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { notify } from '#web/lib/notify.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { StaffRoomFormDialog } from './room-form-dialog.tsx'

const ownerId = 'a'.repeat(24)
const kitchen = {
  _id: 'k',
  roomName: 'Kitchen',
  deviceCount: 0,
  onlineCount: 0,
  onCount: 0,
  userId: ownerId
} as const satisfies Partial<RoomRecord>

test.each([
  ['was stored counts as created', [0], 1],
  ['was not stored is created by a second press', [], 2],
  ['was not stored is created by a second press, also if the account has an older room of that name', [-1], 2]
])('a room of an account whose answer was lost and that %s', async (_, createdMs, times) => {
  const failed = vi.spyOn(notify, 'error')
  let isClosed = false
  let isLost = true
  const app = await createTestApp({
    areas: ['staff', 'fleet', 'devices', 'rules', 'table'],
    server: ({ method }) => {
      const rooms = createdMs.map(made)
      if (method === 'get') return { data: { rooms, total: rooms.length, page: 1, limit: 500, totalPages: 1 } }
      if (!isLost) return { data: made(0) }
      isLost = false
      return Promise.reject(networkError(null))
    }
  })
  const made = (ms: number): RoomRecord => ({
    ...kitchen,
    createdAt: new Date(app.clock.now() + ms).toISOString()
  })
  app.show(
    <StaffRoomFormDialog room={null} ownerId={ownerId} ownerField={null} onClose={() => void (isClosed = true)} />
  )
  fireEvent.input(screen.getByLabelText('Room name'), { target: { value: 'Kitchen' } })
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Add Room' }))
  press()
  if (times > 1) {
    await waitFor(() => expect(failed).toHaveBeenCalledWith('Failed to save room'))
    press()
  }
  await waitFor(() => expect(isClosed).toBe(true))
  expect(app.requests.filter(({ method }) => method === 'post')).toHaveLength(times)
  expect(app.requests.find(({ method }) => method === 'get')?.url).toContain(`userId=${ownerId}`)
})
