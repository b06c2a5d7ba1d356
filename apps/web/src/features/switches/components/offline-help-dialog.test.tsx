import { act, screen, waitFor } from '@testing-library/react'
import { minuteMs } from '@batti/kit/durations'
import { expect, test, vi } from 'vitest'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { deviceUpdateKey } from '#web/lib/live/device-update.ts'
import { OfflineHelpDialog } from './offline-help-dialog.tsx'

test('nothing is to be done about a board that restarts for its update, until it is away for too long', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches'] })
  const { deviceMac } = boardRecord()
  app.live.seed([boardRecord()])
  app.queryClient.setQueryData(deviceUpdateKey(deviceMac), { id: 'u', phase: 'reboot', percent: 100 })
  app.show(<OfflineHelpDialog record={switchRecord({ deviceMac })} since="" isOpen onClose={() => {}} />)
  act(() => app.line.receive('update-from-device', { deviceMac, update: { isOnline: false }, at: app.clock.now() }))
  await screen.findByText(/^Its switches are locked/)
  expect(screen.queryByRole('listitem')).toBeNull()
  act(() => app.clock.advance(5 * minuteMs))
  expect(screen.queryByText(/^Its switches are locked/)).toBeNull()
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
})

test('the help is gone when the board is back', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches'] })
  const { deviceMac } = boardRecord()
  app.live.seed([boardRecord({ isOnline: false })])
  const onClose = vi.fn<() => void>()
  app.show(<OfflineHelpDialog record={switchRecord({ deviceMac })} since="" isOpen onClose={onClose} />)
  await screen.findByText(/ is offline$/)
  expect(onClose).not.toHaveBeenCalled()
  act(() => app.line.receive('update-from-device', { deviceMac, update: { isOnline: true }, at: app.clock.now() }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
})
