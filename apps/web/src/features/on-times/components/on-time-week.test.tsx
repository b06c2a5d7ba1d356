import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { OnTimeWeek } from './on-time-week.tsx'

const lamp = {
  switchId: '65f000000000000000000001',
  switchName: 'Lamp',
  spans: [],
  days: [{ date: '2026-11-26', seconds: 3600 }]
}

test('the bars stay visible when loading them again fails', async () => {
  let isDown = false
  const app = await createTestApp({
    areas: ['on-times'],
    server: () =>
      isDown
        ? { status: 503, code: 'UNAVAILABLE', message: 'Away.' }
        : { data: { timezone: 'Asia/Kathmandu', switches: [lamp] } }
  })
  app.show(<OnTimeWeek />)
  await screen.findByText('Lamp')
  isDown = true
  await app.queryClient.refetchQueries()
  await waitFor(() => expect(app.requests.length).toBeGreaterThan(1))
  expect(screen.queryByText('Lamp')).not.toBeNull()
})

test('a switch without a name is called in Nepali as on its card', async () => {
  const app = await createTestApp({
    areas: ['on-times', 'devices'],
    language: 'ne',
    server: () => ({ data: { timezone: 'Asia/Kathmandu', switches: [{ ...lamp, switchName: 'Switch 3' }] } })
  })
  app.show(<OnTimeWeek />)
  await screen.findByText('स्विच ३')
})
