import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { useOnSince } from './use-on-since.ts'

function Since() {
  return <output>{useOnSince()?.get('lamp')}</output>
}

test.each([
  ['a day ahead', 86_400_000],
  ['a day behind', -86_400_000]
])('a phone whose clock is %s shows since when a lamp is on', async (_, aheadMs) => {
  const now = Date.parse('2026-11-28T04:00:00Z')
  const from = now - 60_000
  const span = { switchId: 'lamp', switchName: 'Lamp', days: [{ date: '2026-11-22', seconds: 0 }] }
  const app = await createTestApp({
    server: () => ({ data: { timezone: 'Asia/Kathmandu', switches: [{ ...span, spans: [{ from, to: now }] }] } })
  })
  app.clock.step(now + aheadMs - app.clock.now())
  app.serverTime.heard(new Date(now).toUTCString())
  app.show(<Since />)
  await screen.findByText(String(from))
})

test('a lamp that was off when the server answered has no such time', async () => {
  const now = Date.parse('2026-11-28T04:00:00Z')
  const spans = [{ from: now - 900_000, to: now - 600_000 }]
  const lamp = { switchId: 'lamp', switchName: 'Lamp', days: [{ date: '2026-11-22', seconds: 0 }], spans }
  const app = await createTestApp({ server: () => ({ data: { timezone: 'Asia/Kathmandu', switches: [lamp] } }) })
  app.clock.step(now - 86_400_000 - app.clock.now())
  app.serverTime.heard(new Date(now).toUTCString())
  app.show(<Since />)
  await expect.poll(() => app.queryClient.isFetching()).toBe(0)
  expect(screen.getByRole('status').textContent).toBe('')
})
