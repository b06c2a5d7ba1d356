import { minuteMs } from '@batti/kit/durations'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { deviceColumns } from './device-list.tsx'

test('a board that restarts for its update is called so in its row and on its card; after five minutes it is offline', async () => {
  const { clock, show } = await createTestApp({ areas: ['devices'] })
  const firmware = { id: 'u', version: '2.0.0', phase: 'reboot', percent: 100 } as const
  const onlineChangedAt = new Date(clock.now()).toISOString()
  const board = boardRecord({ isOnline: false, onlineChangedAt, firmware })
  const column = (id: string) => deviceColumns.find((each) => each.id === id)
  show(
    <>
      {column('isOnline')?.cell?.(board)} / {column('wifiRSSI')?.card?.cell?.(board)}
    </>
  )
  expect(screen.getAllByTitle('Restarting')).toHaveLength(2)
  act(() => clock.advance(5 * minuteMs))
  expect(document.body.textContent).toMatch(/^Offline \/ Offline since /)
})
