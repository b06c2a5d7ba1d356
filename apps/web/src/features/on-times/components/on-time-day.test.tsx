import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { OnTimeDay } from './on-time-day.tsx'

test('somebody far from home hears the times of its day as the marks show them: by the clock at home', async () => {
  const [from, to] = ['2026-11-26T00:15:00Z', '2026-11-26T12:45:00Z'].map(Date.parse)
  const days = [{ date: '2026-11-26', seconds: 45_000 }]
  const lamp = { switchId: 'lamp', switchName: 'Lamp', spans: [{ from, to }], days }
  const app = await createTestApp({
    areas: ['on-times'],
    server: () => ({ data: { timezone: 'Asia/Kathmandu', switches: [lamp] } })
  })
  app.show(<OnTimeDay switchId="lamp" />)
  await waitFor(() => expect(screen.getByRole('listitem').textContent).toBe('06:00–18:30'))
})
