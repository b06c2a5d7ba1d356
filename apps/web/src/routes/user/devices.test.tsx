import { expect, test } from 'vitest'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { Screen } from './devices.tsx'

test('the names of switches are read before a board is opened, so that its sheet shows them at once', async () => {
  const board = boardRecord()
  const app = await createTestApp({
    areas: ['devices', 'device-details', 'switches', 'on-times', 'rooms'],
    server: ({ url }) =>
      url.includes('/devices')
        ? { data: { devices: [board], total: 1, page: 1, limit: 500, totalPages: 1 } }
        : url.includes('/switches')
          ? { data: [switchRecord({ deviceId: board._id })] }
          : { data: { rooms: [], total: 0, page: 1, limit: 500, totalPages: 1 } }
  })
  app.live.seed([board])
  app.show(<Screen />)
  await expect.poll(() => app.requests.filter(({ url }) => url.includes('/switches')).length).toBe(1)
})
