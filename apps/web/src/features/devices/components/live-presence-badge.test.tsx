import type { UpdatePhase } from '@batti/contracts'
import { act, screen } from '@testing-library/react'
import { minuteMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LivePresenceBadge } from './live-presence-badge.tsx'

async function goOffline(phase: UpdatePhase, percent: number) {
  const app = await createTestApp({ areas: ['devices'] })
  const firmware = { id: 'u', version: '2.0.0', phase, percent }
  const device = boardRecord({ firmware })
  app.live.seed([device])
  app.show(<LivePresenceBadge device={device} />)
  const { deviceMac } = device
  act(() => app.line.receive('update-from-device', { deviceMac, update: { isOnline: false }, at: app.clock.now() }))
  return app
}

// After `download` its later progress was lost.
test.each([
  ['download', 100],
  ['verify', 0],
  ['reboot', 100]
] as const)(
  'a board that leaves at "%s" %i % of its update is restarting; after five minutes it is offline',
  async (phase, percent) => {
    const { clock } = await goOffline(phase, percent)
    await screen.findByText('Restarting')
    act(() => clock.advance(4 * minuteMs))
    screen.getByText('Restarting')
    act(() => clock.advance(minuteMs))
    expect(screen.queryByText('Restarting')).toBeNull()
    screen.getByText(/^Offline since /)
  }
)

test.each([
  ['waiting', 0],
  ['sent', 0],
  ['download', 90],
  ['proving', 100],
  ['failed', 0]
] as const)('an update at "%s" %i % explains no board that is offline', async (phase, percent) => {
  await goOffline(phase, percent)
  await screen.findByText(/^Offline since /)
})
