import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
})
afterAll(() => app.stop())

type Happening = ['online' | 'offline', hoursAgo: number]
const at = (hoursAgo: number): Date => new Date(app.clock.now() - hoursAgo * 3_600_000)

/** What a board's page shows of its last day, after these events. */
async function presenceOf(happenings: Happening[], { isOnline, since }: { isOnline: boolean; since: number }) {
  const { id } = await app.device(app.person(), { isOnline: false })
  const { devices } = app.models
  await devices.updateOne({ _id: id }, { $set: { isOnline, onlineChangedAt: at(since) } })
  await app.connection.collection<{ _id: string }>('device_events').insertMany(
    happenings.map(([kind, hoursAgo]) => ({
      _id: `${id}:${kind}:${hoursAgo}`,
      deviceId: new app.connection.base.Types.ObjectId(id),
      at: at(hoursAgo),
      kind,
      detail: null
    }))
  )
  const { data } = await app.call('GET', `/devices/${id}/history?days=1`, app.person('admin'))
  const hoursAgo = (iso: string): number => (app.clock.now() - Date.parse(iso)) / 3_600_000
  return (data['presence'] as string[][]).map((span) => span.map(hoursAgo))
}

test('a board that replaced its own connection was online all the time', async () => {
  const online = { isOnline: true, since: 72 }
  expect(
    await presenceOf(
      [
        ['online', 72],
        ['online', 1]
      ],
      online
    )
  ).toEqual([[24, 0]])
  // Events are kept for thirty days.
  expect(await presenceOf([['online', 1]], { ...online, since: 800 })).toEqual([[24, 0]])
})

test('a board that replaced its own connection was online until it went offline', async () => {
  const happenings: Happening[] = [
    ['offline', 80],
    ['online', 72],
    ['online', 10],
    ['offline', 5],
    ['online', 2]
  ]
  expect(await presenceOf(happenings, { isOnline: true, since: 2 })).toEqual([
    [24, 5],
    [2, 0]
  ])
})

test('a board that was offline is online from its first connection on, however often it replaces that later', async () => {
  const online = { isOnline: true, since: 10 }
  expect(
    await presenceOf(
      [
        ['online', 80],
        ['offline', 72],
        ['online', 10],
        ['online', 1]
      ],
      online
    )
  ).toEqual([[10, 0]])
  expect(await presenceOf([['online', 10]], online)).toEqual([[10, 0]])
})

test('a board that went offline was online before, and one without events keeps its state', async () => {
  expect(await presenceOf([['offline', 5]], { isOnline: false, since: 5 })).toEqual([[24, 5]])
  expect(await presenceOf([['online', 72]], { isOnline: true, since: 72 })).toEqual([[24, 0]])
  expect(await presenceOf([['offline', 72]], { isOnline: false, since: 72 })).toEqual([])
})

test('what a clock that was ahead has recorded does not count until then', async () => {
  expect(await presenceOf([['online', -1]], { isOnline: true, since: -1 })).toEqual([[24, 0]])
  const happenings: Happening[] = [
    ['offline', -1],
    ['online', 2]
  ]
  expect(await presenceOf(happenings, { isOnline: true, since: 2 })).toEqual([[2, 0]])
})

test('a history has no boots and signals that a clock which was ahead has recorded', async () => {
  const { id } = await app.device(app.person())
  const deviceId = new app.connection.base.Types.ObjectId(id)
  const rows = (name: string) => app.connection.collection<{ _id: string }>(name)
  await rows('device_events').insertMany(
    [at(1), at(-1)].map((when) => ({ _id: `${id}:boot:${when.getTime()}`, deviceId, at: when, kind: 'boot' }))
  )
  await rows('device_signals').insertMany(
    [at(1), at(-1)].map((when) => ({ _id: `${id}:${when.getTime()}`, deviceId, at: when, slots: { 0: -60 } }))
  )
  const { data } = await app.call('GET', `/devices/${id}/history?days=1`, app.person('admin'))
  expect(data['boots']).toEqual([at(1).toISOString()])
  expect(data['rssi']).toEqual([{ at: at(1).toISOString(), value: -60 }])
})

test('a board that needs attention does not say since when if a clock that was ahead has recorded it', async () => {
  const sinceOf = async (silent: Date) => {
    const { id } = await app.device(app.person(), { isOnline: false })
    // Once it is judged, nothing changes what is written below.
    await expect
      .poll(async () => {
        await app.fleet.sweep()
        return (await app.models.devices.findById(id).lean())?.healthReasons
      })
      .toEqual(['never-seen'])
    const health = { healthReasons: ['silent'], healthScore: 40, healthSince: { silent } }
    await app.models.devices.updateOne({ _id: id }, { $set: health })
    const { data } = await app.call('GET', '/fleet/attention?reason=silent', app.person('admin'))
    const rows = data['boards'] as { device: { _id: string }; since: string | null }[]
    return rows.find(({ device }) => device._id === id)?.since
  }
  expect(await sinceOf(at(1))).toBe(at(1).toISOString())
  expect(await sinceOf(at(-1))).toBeNull()
})
