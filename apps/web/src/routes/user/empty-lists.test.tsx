import type { SwitchRecord } from '@batti/contracts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { Screen as Rooms } from './rooms.tsx'
import { Screen as Schedules } from './schedules.tsx'

async function openHome(switches: readonly SwitchRecord[]) {
  const app = await createTestApp({
    areas: ['rooms', 'room-changes', 'devices', 'device-details', 'switches', 'schedules', 'schedule-list', 'on-times'],
    server: ({ url }) => {
      const list = ['schedules', 'rooms', 'devices'].find((each) => url.includes(`/${each}`))
      if (list === undefined) return { status: 503, code: 'UNAVAILABLE', message: 'Away' }
      return { data: { [list]: [], total: 0, page: 1, limit: 500, totalPages: 1 } }
    }
  })
  app.queryClient.setQueryData(queryKeys.mySwitches, switches)
  return app
}

test('a user without switches is not asked to choose one: a link to a first board replaces Add Schedule', async () => {
  const app = await openHome([])
  app.show(<Schedules />)
  await screen.findByRole('link', { name: 'Add Device' })
  expect(screen.queryByRole('button', { name: 'Add Schedule' })).toBeNull()
})

test('an empty list of schedules offers to add one, once', async () => {
  const app = await openHome([switchRecord()])
  app.show(<Schedules />)
  await screen.findByText('No schedules found')
  expect(screen.getAllByRole('button', { name: 'Add Schedule' })).toHaveLength(1)
})

test('an empty list of rooms offers to add one, once', async () => {
  const app = await openHome([switchRecord()])
  app.show(<Rooms />)
  await screen.findByText('No rooms found')
  expect(screen.getAllByRole('button', { name: 'Add Room' })).toHaveLength(1)
})
