import type { UpdatePhase } from '@batti/contracts'
import { act, screen } from '@testing-library/react'
import { minuteMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LivePresenceBadge } from './live-presence-badge.tsx'

async function goOffline(phase: UpdatePhase) {
  const app = await createTestApp({ areas: ['devices'] })
  const firmware = { id: 'u', version: '2.0.0', phase, percent: 0 }
  const device = boardRecord({ firmware })
  app.live.seed([device])
  app.show(<LivePresenceBadge device={device} />)
  const { deviceMac } = device
  act(() => app.line.receive('update-from-device', { deviceMac, update: { isOnline: false }, at: app.clock.now() }))
  return app
}

// After `download` its later progress was lost.
test.each(['download', 'reboot'] as const)(
  'a board that leaves at "%s" of its update is restarting; after five minutes it is offline',
  async (phase) => {
    const { clock } = await goOffline(phase)
    await screen.findByText('Restarting')
    act(() => clock.advance(4 * minuteMs))
    screen.getByText('Restarting')
    act(() => clock.advance(minuteMs))
    expect(screen.queryByText('Restarting')).toBeNull()
    screen.getByText(/^Offline since /)
  }
)

test.each(['waiting', 'proving', 'failed'] as const)(
  'an update at "%s" explains no board that is offline',
  async (phase) => {
    await goOffline(phase)
    await screen.findByText(/^Offline since /)
  }
)
