import type { RoomRecord } from '@batti/contracts'
import { ApiError } from '@batti/client/api-error'
import { networkError } from '@batti/client/transport'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { toast } from 'react-hot-toast'
import { afterEach, expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ToastTexts } from '#web/test/toast-texts.tsx'
import { DeleteRoomDialog } from './delete-room-dialog.tsx'
import { RoomDialog } from './room-dialog.tsx'
import { RoomFormDialog } from './room-form-dialog.tsx'

const roomOf = (_id: string, roomName: string): RoomRecord => ({
  _id,
  roomName,
  deviceCount: 0,
  onlineCount: 0,
  onCount: 0,
  userId: 'u',
  createdAt: '2026-11-01T00:00:00.000Z'
})
const kitchen = roomOf('k', 'Kitchen')
const garden = roomOf('g', 'Garden')

/** A server with rooms; the test sets its answers to writes, and whether there is a network. */
async function open(rooms: RoomRecord[], write: (body: string) => Answer | Promise<Answer>) {
  let isClosed = false
  let isOnline = true
  const app = await createTestApp({
    areas: ['rooms', 'room-changes'],
    server: ({ method, body }) => {
      if (!isOnline) throw new ApiError('UNSENT', 'No network.')
      return method === 'get'
        ? { data: { rooms, total: rooms.length, page: 1, limit: 500, totalPages: 1 } }
        : write(typeof body === 'string' ? body : '')
    }
  })
  const close = () => void (isClosed = true)
  return {
    ...app,
    close,
    goOnline: (isConnected: boolean) => void (isOnline = isConnected),
    add: () =>
      app.show(
        <>
          <RoomFormDialog room={null} onClose={close} />
          <ToastTexts />
        </>
      ),
    isClosed: () => isClosed,
    writes: () => app.requests.filter(({ method }) => method !== 'get')
  }
}
afterEach(() => act(() => toast.remove()))

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const type = (name: string) => fireEvent.change(screen.getByLabelText('Room name'), { target: { value: name } })

test('a room whose answer was lost is not created again by a second or third press', async () => {
  const rooms: RoomRecord[] = []
  const app = await open(rooms, () => Promise.reject(networkError(null)))
  app.add()
  type('Kitchen')
  press('Add room')
  await screen.findByText('Failed to save room')
  // Stored late: the list contains it by now, and it is not another room of that name.
  rooms.push(kitchen)
  await act(() => app.queryClient.refetchQueries({ queryKey: ['rooms'] }))
  expect(JSON.stringify(app.queryClient.getQueryData(['rooms']))).toContain('Kitchen')
  app.goOnline(false)
  press('Add room')
  await screen.findByText('Not connected. Nothing was sent; try again when the connection is back.')
  app.goOnline(true)
  press('Add room')
  await waitFor(() => expect(app.isClosed()).toBe(true))
  expect(app.writes()).toHaveLength(1)
})

test('a room that an unanswered try did not create is created by the next', async () => {
  const rooms: RoomRecord[] = [garden]
  let tries = 0
  const app = await open(rooms, () => (++tries === 1 ? Promise.reject(networkError(null)) : { data: kitchen }))
  app.add()
  type('Kitchen')
  press('Add room')
  await screen.findByText('Failed to save room')
  press('Add room')
  await waitFor(() => expect(app.isClosed()).toBe(true))
  expect(app.writes()).toHaveLength(2)
})

test('a try without a network says so, marks no name as wrong, and keeps it', async () => {
  const app = await open([], () => Promise.reject(new ApiError('UNSENT', 'No network.')))
  app.add()
  type('Kitchen')
  press('Add room')
  await screen.findByText('Not connected. Nothing was sent; try again when the connection is back.')
  const name = screen.getByLabelText<HTMLInputElement>('Room name')
  expect(name.value).toBe('Kitchen')
  expect(name.ariaInvalid).toBeNull()
})

test('a name of another room is refused, also after a try without an answer', async () => {
  const app = await open([garden], () => Promise.reject(networkError(null)))
  app.add()
  type('Kitchen')
  press('Add room')
  await screen.findByText('Failed to save room')
  type('garden')
  press('Add room')
  await screen.findByText('You have a room of that name already.')
  expect(app.writes()).toHaveLength(1)
})

const notFound: Answer = { status: 404, code: 'NOT_FOUND', message: 'Room not found.' }

test('a room that another user has deleted counts as deleted: the dialog closes', async () => {
  const app = await open([garden], () => notFound)
  app.show(<DeleteRoomDialog room={kitchen} deviceCount={0} others={[garden]} onClose={app.close} />)
  press('Delete room')
  await waitFor(() => expect(app.isClosed()).toBe(true))
})

test.each([
  [0, 'No device stands in it.'],
  [2, '2 devices stand in it. Where do they go?']
])('what becomes of the %i boards of a room is said before it is deleted', async (deviceCount, said) => {
  const app = await open([kitchen], () => ({ data: null }))
  app.show(<DeleteRoomDialog room={kitchen} deviceCount={deviceCount} others={[garden]} onClose={app.close} />)
  expect(screen.getByRole('dialog').textContent).toContain(said)
})

test('if the other room is the deleted one, this room and the dialog stay', async () => {
  const app = await open([kitchen], () => notFound)
  app.show(<DeleteRoomDialog room={kitchen} deviceCount={1} others={[garden]} onClose={app.close} />)
  press('Delete room')
  await waitFor(() => expect(app.requests.filter(({ method }) => method === 'get')).toHaveLength(1))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Delete room' }).ariaBusy).not.toBe('true'))
  expect(app.isClosed()).toBe(false)
})

test('the boards of a room stay visible when loading them again fails', async () => {
  let isDown = false
  const app = await createTestApp({
    areas: ['rooms', 'room-changes'],
    server: () =>
      isDown
        ? { status: 503, code: 'UNAVAILABLE', message: 'Away.' }
        : { data: { devices: [boardRecord()], total: 1, page: 1, limit: 500, totalPages: 1 } }
  })
  app.show(
    <RoomDialog room={kitchen} onClose={() => {}}>
      {(devices) => <p>{devices.length} of its boards</p>}
    </RoomDialog>
  )
  await screen.findByText('1 of its boards')
  isDown = true
  await app.queryClient.refetchQueries({ queryKey: ['devices'] })
  await waitFor(() => expect(app.queryClient.getQueryState(['devices', 'by-room', 'k'])?.status).toBe('error'))
  expect(screen.queryByText('1 of its boards')).not.toBeNull()
})

test('while a room is saved its name is locked: a later text would close with the dialog', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const app = await open([], () => promise)
  app.add()
  type('Kitchen')
  press('Add room')
  await waitFor(() => expect(screen.getByLabelText('Room name').closest('[inert]')).not.toBeNull())
  resolve({ data: kitchen })
  await waitFor(() => expect(app.isClosed()).toBe(true))
})

test('the room that its boards move to is locked while the deletion is on its way', async () => {
  const answer = Promise.withResolvers<Answer>()
  const app = await open([kitchen, garden], () => answer.promise)
  app.show(<DeleteRoomDialog room={kitchen} deviceCount={1} others={[garden]} onClose={app.close} />)
  press('Delete room')
  await waitFor(() => expect(screen.getByLabelText('Its devices go to').closest('[inert]')).not.toBeNull())
  answer.resolve({ status: 409, code: 'CONFLICT', message: 'It was changed meanwhile.' })
  await waitFor(() => expect(screen.getByLabelText('Its devices go to').closest('[inert]')).toBeNull())
})
