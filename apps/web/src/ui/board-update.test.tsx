import type { FirmwareProgressEvent } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deviceLive, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { BoardUpdate } from './board-update.tsx'

async function show(phase: FirmwareProgressEvent['phase'], isOnline: boolean, percent = 20) {
  const app = await createTestApp({ areas: ['devices'] })
  const update = { id: 'u', version: '2.0.0', phase, percent }
  const live = deviceLive({ isOnline, onlineChangedAt: app.clock.now() })
  app.show(<BoardUpdate update={update} live={live} hasReason className="" />)
  return app
}

test('a board that went away with the whole image restarts; after five minutes its update waits for it', async () => {
  const { clock } = await show('download', false, 100)
  screen.getByText('Updating to 2.0.0: Restarting')
  screen.getByText(/^Its switches are locked/)
  act(() => clock.advance(5 * minuteMs))
  screen.getByText('Updating to 2.0.0: Waiting')
  expect(screen.queryByText(/^Its switches are locked/)).toBeNull()
})

test('the update of a board that went away in its download waits for it', async () => {
  await show('download', false)
  await screen.findByText('Updating to 2.0.0: Waiting')
})

test('an online board has the progress that it told', async () => {
  await show('download', true)
  expect(screen.getByRole('progressbar', { name: 'Updating to 2.0.0: Downloading 20%' })).toBeTruthy()
})

test.each(['failed', 'rolled-back'] as const)(
  'an update that ended "%s" is told as long as its board works',
  async (phase) => {
    await show(phase, true)
    expect(screen.getByRole('status').textContent).toBe(
      'The update to 2.0.0 failed. The board works as before; an administrator can try again.'
    )
  }
)

test('an admin reads how to try again', async () => {
  const { session, clock } = await show('failed', true)
  const token = accessToken({ role: 'admin', iatMs: clock.now(), expMs: clock.now() + minuteMs })
  act(() => session.signIn({ accessToken: token, refreshToken: 'r' }, { ...sita, role: 'admin' }))
  await screen.findByText('The update to 2.0.0 failed. The board works as before; try again with “Update”.')
})

test.each([
  ['failed', false],
  ['done', true],
  ['skipped', true]
] as const)('of an update that ended "%s" nothing is told (the board is online: %s)', async (phase, isOnline) => {
  await show(phase, isOnline)
  expect(screen.queryByText(/2\.0\.0/)).toBeNull()
})
