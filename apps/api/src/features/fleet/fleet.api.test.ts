import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FleetRecord } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { aMac } from '../../testing/a-mac.ts'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor
let sita: Actor
const start = '2026-11-20T06:10:00Z'

beforeEach(async () => {
  app = await startApi({ at: start, isShared: true })
  admin = app.person('admin')
  sita = app.person()
})
afterEach(() => app.stop())

const fleet = async (): Promise<FleetRecord> => {
  await app.fleet.sweep()
  return (await app.call('GET', '/fleet', admin)).data as unknown as FleetRecord
}
const healthOf = async (id: string, as = admin) => {
  await app.fleet.sweep()
  return (await app.call('GET', `/devices/${id}`, as)).data['health'] as { score: number; reasons: string[] }
}
const kindsOf = async (id: string): Promise<string[]> => {
  await app.fleet.sweep()
  const { events } = (await app.call('GET', `/devices/${id}/events`, admin)).data as never as {
    events: { kind: string }[]
  }
  return events.map(({ kind }) => kind)
}
const reconnect = ({ board }: AddedDevice): void => {
  board.disconnect()
  board.connect()
}

describe('the fleet', () => {
  test('counts boards by presence; a board that never connected is neither online nor offline', async () => {
    await app.device(sita)
    const gone = await app.device(sita)
    gone.board.disconnect()
    await app.call('POST', '/devices', admin, { userId: sita.userId, deviceCode: 'BT4', deviceMac: aMac() })
    await expect.poll(async () => fleet()).toMatchObject({ boards: 3, online: 1, offline: 1, neverSeen: 1, silent: 0 })
    // The list knows only online and offline: a board that never connected is offline there, and has a filter of its own.
    const filters = ['status=online', 'status=offline', 'health=never-seen']
    const lists = await Promise.all(filters.map((filter) => app.call('GET', `/devices?${filter}`, admin)))
    expect(lists.map(({ data }) => data['total'])).toEqual([1, 2, 1])
    const { onlineByHour, commandsByHour, byHour, versions } = await fleet()
    expect([onlineByHour.length, commandsByHour.length, byHour.length]).toEqual([24, 24, 24])
    expect(onlineByHour.at(-1)).toEqual({ at: '2026-11-20T06:00:00.000Z', online: 1 })
    expect(versions.reduce((sum, { count }) => sum + count, 0)).toBe(3)
  })

  test('counts commands in the hour they were sent, and by result', async () => {
    const { switchIds, board } = await app.device(sita)
    await app.call('PATCH', `/switches/by-id/${switchIds[0]}`, sita, { status: true })
    board.disconnect()
    await expect
      .poll(
        async () => (await app.call('PATCH', `/switches/by-id/${switchIds[0]}`, sita, { status: false })).statusCode
      )
      .toBe(409)
    const { commandsByHour } = await fleet()
    expect(commandsByHour.at(-1)).toMatchObject({
      at: '2026-11-20T06:00:00.000Z',
      confirmed: 1,
      p95Ms: expect.any(Number)
    })
    expect(commandsByHour.at(-1)?.offline).toBeGreaterThan(0)
  })

  test.each([
    ['once a minute', { isShared: false, atOnce: 0 }],
    ['at once where others read it', { isShared: true, atOnce: 1 }]
  ])('stores its counts %s, and reports them at once', async (_when, { isShared, atOnce }) => {
    const own = await startApi({ at: start, isShared })
    try {
      const owner = own.person()
      const confirmed = async (): Promise<number> => {
        const row = await own.connection.collection('fleet_hours').findOne({ at: new Date('2026-11-20T06:00:00Z') })
        return Number(row?.['confirmed'] ?? 0)
      }
      const answered = async (): Promise<number | undefined> => {
        const { data } = await own.call('GET', '/fleet', own.person('admin'))
        return (data as unknown as FleetRecord).commandsByHour.at(-1)?.confirmed
      }
      const { switchIds } = await own.device(owner)
      expect(await answered()).toBe(0)
      await own.fleet.sweep()
      await own.call('PATCH', `/switches/by-id/${switchIds[0]}`, owner, { status: true })
      await own.fleet.sweep()
      expect(await confirmed()).toBe(atOnce)
      own.clock.advance(60_000)
      await own.fleet.sweep()
      await expect.poll(confirmed).toBe(1)
      await own.call('PATCH', `/switches/by-id/${switchIds[0]}`, owner, { status: false })
      expect(await answered()).toBe(2)
    } finally {
      await own.stop()
    }
  })

  test('is told to staff at most once a second, however often boards are judged', async () => {
    const { board } = await app.device(sita)
    await app.fleet.sweep()
    const told: { at: number; online: number }[] = []
    const off = app.events.on('fleet-changed', ({ online }) => void told.push({ at: performance.now(), online }))
    for (const change of [board.disconnect, board.connect, board.disconnect]) {
      change()
      await app.fleet.sweep()
    }
    await expect.poll(() => told.at(-1)?.online).toBe(0)
    off()
    const gaps = told.slice(1).map(({ at }, index) => at - (told[index]?.at ?? 0))
    expect(gaps.filter((gap) => gap < 990)).toEqual([])
  })

  test('is visible to admins and to monitors who see boards', async () => {
    for (const path of ['/fleet', '/fleet/attention']) {
      expect((await app.call('GET', path, app.person('monitor', ['view devices']))).statusCode).toBe(200)
      expect((await app.call('GET', path, app.person('monitor', ['view users']))).statusCode).toBe(403)
      expect((await app.call('GET', path, sita)).statusCode).toBe(403)
    }
  })
})

describe('a board', () => {
  test('is found as never seen until it connects', async () => {
    const neverSeen = async (): Promise<unknown> =>
      (await app.call('GET', `/devices?health=never-seen&userId=${hari.userId}`, admin)).data['devices']
    const hari = app.person()
    const waiting = { userId: hari.userId, deviceCode: 'BT4', deviceMac: aMac() }
    const { data: added } = await app.call('POST', '/devices', admin, waiting)
    // The counts of this one are not stored yet.
    await app.device(hari)
    expect(await neverSeen()).toMatchObject([{ _id: added['_id'], health: { reasons: ['never-seen'] } }])
  })

  test('that connects six times within an hour is flapping, for its owner too, and is found by that', async () => {
    const flapping = await app.device(sita)
    for (let times = 0; times < 6; times += 1) reconnect(flapping)
    await expect.poll(() => healthOf(flapping.id)).toEqual({ score: 80, reasons: ['flapping'] })
    expect(await healthOf(flapping.id, sita)).toEqual({ score: 80, reasons: ['flapping'] })
    const found = await app.call('GET', '/devices?health=flapping', admin)
    expect(found.data['devices']).toMatchObject([{ _id: flapping.id }])
    // A limit beyond that of lists belongs to the caller.
    const attention = await app.call('GET', '/fleet/attention?reason=flapping&limit=9999', admin)
    expect(attention.data['boards']).toMatchObject([
      {
        device: { _id: flapping.id, deviceMac: flapping.mac, owner: { _id: sita.userId, name: sita.name } },
        reason: 'flapping',
        since: expect.any(String)
      }
    ])
    const several = await app.call('GET', '/fleet/attention?reason=silent,flapping', admin)
    expect(several.data['boards']).toEqual(attention.data['boards'])
    expect((await app.call('GET', '/fleet/attention?reason=flapping,tired', admin)).errors).toMatchObject([
      { path: 'reason.1' }
    ])
    expect((await fleet()).flapping).toBe(1)
    app.clock.advance(3_600_000)
    expect(await healthOf(flapping.id)).toEqual({ score: 100, reasons: [] })
  })

  test('that was online and is away for more than a day is silent', async () => {
    const silent = await app.device(sita)
    silent.board.disconnect()
    // The fleet is updated a moment after the list shows it.
    await expect.poll(() => kindsOf(silent.id)).toContain('offline')
    app.clock.advance(1440 * 60_000)
    expect((await healthOf(silent.id)).reasons).not.toContain('silent')
    app.clock.advance(1)
    expect((await healthOf(silent.id)).reasons).toContain('silent')
    const { body } = await app.http
      .get('/api/v1/fleet/attention')
      .set('authorization', `Bearer ${await app.tokenOf(admin)}`)
    const scores = (body.data.boards as { reason: string }[]).map(({ reason }) => reason)
    expect(scores).toContain('silent')
    silent.board.connect()
    await expect.poll(() => healthOf(silent.id)).toEqual({ score: 100, reasons: [] })
  })

  test('lists its events newest first, to its owner those since it is theirs', async () => {
    const device = await app.device(sita)
    await expect.poll(() => kindsOf(device.id)).toEqual(expect.arrayContaining(['boot', 'online']))
    const kinds = (await app.call('GET', `/devices/${device.id}/events?kind=boot`, admin)).data['events'] as never as {
      kind: string
    }[]
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['boot']))
    const ram = app.person()
    app.clock.advance(60_000)
    await app.call('PATCH', `/devices/${device.id}`, admin, { userId: ram.userId })
    await app.fleet.sweep()
    const theirs = (await app.call('GET', `/devices/${device.id}/events`, ram)).data['events'] as never as {
      kind: string
    }[]
    expect(theirs.map(({ kind }) => kind)).not.toContain('boot')
    expect((await app.call('GET', `/devices/${device.id}/events`, sita)).statusCode).toBe(404)
    expect((await app.call('GET', `/devices/${device.id}/events?kind=tired`, admin)).statusCode).toBe(400)
  })

  test('lists when its settings or its schedules were changed, but not changes that only people see', async () => {
    const { id, switchIds } = await app.device(sita)
    const kinds = async () => {
      await app.fleet.sweep()
      const { data } = await app.call('GET', `/devices/${id}/events`, admin)
      return (data['events'] as { kind: string; detail: string | null }[])
        .filter(({ kind }) => kind === 'config' || kind === 'schedules')
        .map(({ kind, detail }) => [kind, detail])
    }
    await app.call('PATCH', `/devices/${id}`, sita, { setName: 'Hall' })
    expect(await kinds()).toEqual([])
    await app.call('PATCH', `/devices/${id}`, sita, {
      activeColor: 'green',
      wifiSSID: 'home',
      wifiPassword: 'secret 123'
    })
    expect(await kinds()).toEqual([['config', 'colour, Wi-Fi']])
    app.clock.advance(1000)
    await app.call('POST', '/schedules', sita, eveningSchedule({ id, switchIds }))
    expect((await kinds())[0]).toEqual(['schedules', '1 schedule'])
  })

  test('has a history of presence, boots and commands', async () => {
    const { id, switchIds } = await app.device(sita)
    await app.call('PATCH', `/switches/by-id/${switchIds[1]}`, sita, { status: true })
    await app.fleet.sweep()
    const { data } = await app.call('GET', `/devices/${id}/history?days=7`, admin)
    expect(data).toMatchObject({
      presence: [[expect.any(String), expect.any(String)]],
      commands: [{ result: 'confirmed', ms: expect.any(Number), by: sita.name }]
    })
    expect((await app.call('GET', `/devices/${id}/history?days=3`, admin)).statusCode).toBe(400)
  })
})

test('the newest signal of a board is in its history at once, also for an owner of a minute', async () => {
  const device = await app.device(sita)
  const ram = app.person()
  await app.call('PATCH', `/devices/${device.id}`, admin, { userId: ram.userId })
  for (const rssi of [-61, -62, -75])
    app.broker.say(`d/${device.id}/up/status`, { online: true, bootId: 'boot-of-signals', conn: 1, rssi })
  const values = async () => {
    await app.fleet.sweep()
    const { data } = await app.call('GET', `/devices/${device.id}/history`, ram)
    return (data['rssi'] as { value: number }[]).map(({ value }) => value)
  }
  await expect.poll(values).toEqual([-62])
  app.clock.advance(600_000)
  app.broker.say(`d/${device.id}/up/status`, { online: true, bootId: 'boot-of-signals', conn: 1, rssi: -70 })
  await expect.poll(values).toEqual([-62, -70])
})

test('a restart and a second instance count nothing twice and lose nothing of the current hour', async () => {
  const flapping = await app.device(sita)
  const second = await app.another()
  for (let times = 0; times < 6; times += 1) reconnect(flapping)
  await expect.poll(() => healthOf(flapping.id)).toMatchObject({ reasons: ['flapping'] })
  const rows = () =>
    app.connection
      .collection('device_events')
      .countDocuments({ kind: 'online', deviceId: new app.connection.base.Types.ObjectId(flapping.id) })
  const before = await rows()
  await second.fleet.sweep()
  expect(await rows()).toBe(before)
  const third = await app.another()
  await third.fleet.sweep()
  expect((await app.call('GET', `/devices/${flapping.id}`, admin)).data['health']).toMatchObject({
    reasons: ['flapping']
  })
})

test('a board that reconnects before the fleet is loaded after a restart is counted correctly', async () => {
  const flapping = await app.device(sita)
  for (let times = 0; times < 6; times += 1) reconnect(flapping)
  await expect.poll(() => healthOf(flapping.id)).toMatchObject({ reasons: ['flapping'] })
  const connections = () =>
    app.connection
      .collection('device_events')
      .countDocuments({ kind: 'online', deviceId: new app.connection.base.Types.ObjectId(flapping.id) })
  const before = await connections()
  flapping.board.disconnect()
  await app.settled()
  app.clock.advance(5000)
  const restarted = await startApi({ uri: app.uri, at: new Date(app.clock.now()).toISOString() })
  try {
    restarted.broker.say(`d/${flapping.id}/up/status`, { online: true, bootId: 'boot-of-later', conn: 1 })
    // It is stored once the board is in memory.
    await expect.poll(connections).toBe(before + 1)
    await restarted.fleet.sweep()
    const { data } = await app.call('GET', `/devices/${flapping.id}`, admin)
    expect(data['health']).toMatchObject({ reasons: ['flapping'] })
  } finally {
    await restarted.stop()
  }
})
