import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { boardRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { liveDeviceKey } from './live-devices.ts'
import { useLiveState } from './use-live-device.ts'

const board = boardRecord()
function Presence() {
  return <p>{useLiveState(board.deviceMac)?.isOnline === true ? 'online' : 'not known'}</p>
}

test.each([
  ['staff', 'admin', 1],
  ['its former owner, who would be refused', 'user', 0]
] as const)('the room of a board that was moved is joined again by %s: %s', async (_who, role, times) => {
  const app = await createTestApp()
  const now = app.clock.now()
  const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r' }, { ...sita, role })
  app.live.seed([board])
  app.show(<Presence />)
  await screen.findByText('online')
  const join = vi.spyOn(app.connection, 'join')
  act(() => {
    app.connection.leave(board.deviceMac)
    app.queryClient.removeQueries({ queryKey: liveDeviceKey(board.deviceMac) })
    // Something else of the page has changed.
    app.session.updateUser({ ...sita, role, name: 'Sita Rai' })
  })
  await screen.findByText('not known')
  expect(join).toHaveBeenCalledTimes(times)
})
