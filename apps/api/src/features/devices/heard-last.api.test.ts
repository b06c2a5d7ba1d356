import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
})
afterAll(() => app.stop())

test('boards are sorted by their last message, online ones after all others', async () => {
  const admin = app.person('admin')
  const online = await app.device(app.person(), { outlets: 1 })
  const gone = await app.device(app.person(), { outlets: 1 })
  app.clock.advance(60_000)
  gone.board.disconnect()
  await expect.poll(async () => (await app.call('GET', `/devices/${gone.id}`, admin)).data.isOnline).toBe(false)
  app.clock.advance(60_000)
  app.broker.heartbeat()
  const list = async (sort: string): Promise<[id: string, lastSeen: string][]> => {
    const { data } = await app.call('GET', `/devices?sort=${sort}`, admin)
    return data.devices.map(({ _id, lastSeen }: { _id: string; lastSeen: string }) => [_id, lastSeen])
  }
  await expect
    .poll(() => list('lastSeen'))
    .toEqual([
      [gone.id, '2026-11-20T06:01:00.000Z'],
      [online.id, '2026-11-20T06:02:00.000Z']
    ])
  expect((await list('-lastSeen')).map(([id]) => id)).toEqual([online.id, gone.id])
})
