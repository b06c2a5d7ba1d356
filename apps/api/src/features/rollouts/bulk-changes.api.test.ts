import { minuteMs } from '@batti/kit/durations'
import { mongo, Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor
let owner: Actor
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  admin = app.person('admin')
})
afterAll(() => app.stop())
beforeEach(() => {
  owner = app.person()
})

const change = async (boards: Pick<AddedDevice, 'id'>[], set: object): Promise<string> => {
  const made = await app.call('POST', '/bulk/devices', admin, { deviceIds: boards.map(({ id }) => id), set })
  expect(made.statusCode, made.message).toBe(201)
  return made.data.id
}
const rollout = async (id: string) => (await app.call('GET', `/rollouts/${id}`, admin)).data
const rows = () => app.connection.collection('rolloutTargets')
async function room(): Promise<string> {
  const made = await app.call('POST', '/rooms', owner, { roomName: 'Hall' })
  return made.data._id
}

describe('a bulk change', () => {
  test.each([
    ['room', { done: 1 }],
    ['colour', { sent: 1 }]
  ])('of the %s does not count as done if its instance was killed before it was stored', async (what, counts) => {
    const board = await app.device(owner)
    const set = what === 'room' ? { setRoom: await room() } : { activeColor: 'red' }
    const id = await change([board], set)
    // The state left by a kill between the two writes.
    const left = { phase: 'sent', sends: 1, sentAt: new Date(app.clock.now()), rev: null }
    await rows().updateOne({ rolloutId: new Types.ObjectId(id) }, { $set: left })
    app.clock.advance(2000)
    await app.rollouts.tick()
    await app.settled()
    await app.rollouts.tick()
    expect((await rollout(id)).counts).toEqual(counts)
    const { setRoom, activeColor } = (await app.call('GET', `/devices/${board.id}`, admin)).data
    expect(what === 'room' ? setRoom._id : activeColor).toBe(Object.values(set)[0])
  })

  test.each([
    ['soon', false],
    ['faster than the database', true]
  ])('counts a board as done when it confirms, not at the next pass (%s)', async (_, isFast) => {
    const board = await app.device(owner)
    const confirm = () => board.board.report({ cause: 'config', configRev: board.board.configs.at(-1)?.rev })
    const off = app.events.on('board-set', ({ deviceId }) => (isFast && deviceId === board.id ? confirm() : undefined))
    onTestFinished(off)
    app.clock.advance(2000)
    const id = await change([board], { activeColor: 'blue' })
    const told: object[] = []
    onTestFinished(app.events.on('rollout-notice', (event) => void (event.id === id && told.push(event.counts))))
    await app.rollouts.tick()
    if (!isFast) {
      expect((await rollout(id)).counts).toEqual({ sent: 1 })
      confirm()
    }
    await app.settled()
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ done: 1 })
    await expect.poll(() => told.at(-1)).toEqual({ done: 1 })
  })

  test('fails when a board refuses it, with its reason', async () => {
    const boards = [await app.device(owner), await app.device(owner)]
    app.clock.advance(2000)
    const id = await change(boards, { timezone: 'America/Coyhaique' })
    await app.rollouts.tick()
    const [refuser, other] = boards
    refuser?.board.report({ cause: 'config', result: 'rejected', reason: 'unknown zone', configRev: 0 })
    await app.settled()
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ failed: 1, sent: 1 })
    const row = await rows().findOne({ rolloutId: new Types.ObjectId(id), phase: 'failed' })
    expect(row).toMatchObject({ error: { code: 'rejected', detail: 'unknown zone' }, isOpen: false })
    expect(String(row?.['deviceId'])).toBe(refuser?.id)
    other?.board.report({ cause: 'config', configRev: other.board.configs.at(-1)?.rev })
    await app.settled()
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ failed: 1, done: 1 })
    expect(refuser?.board.configs).toHaveLength(1)
    await app.call('POST', `/rollouts/${id}/retry`, admin, {})
    await app.rollouts.tick()
    await app.settled()
    expect(refuser?.board.configs.slice(1)).toMatchObject([{ timezone: 'America/Coyhaique' }])
  })

  test('fails when a board refuses it faster than the database', async () => {
    const { id: deviceId, board } = await app.device(owner)
    const refuse = () => board.report({ cause: 'config', result: 'rejected', reason: 'unknown zone', configRev: 0 })
    onTestFinished(app.events.on('board-set', (set) => (set.deviceId === deviceId ? refuse() : undefined)))
    app.clock.advance(2000)
    const id = await change([{ id: deviceId }], { timezone: 'America/Coyhaique' })
    await app.rollouts.tick()
    await app.settled()
    await expect
      .poll(async () => {
        await app.rollouts.tick()
        return rollout(id)
      })
      .toMatchObject({ counts: { failed: 1 }, failures: [{ code: 'rejected' }] })
  })

  test('does not fail when a board refuses what may have been its schedules', async () => {
    const board = await app.device(owner)
    app.clock.advance(2000)
    const id = await change([board], { activeColor: 'red' })
    await app.rollouts.tick()
    await app.models.devices.updateOne({ _id: board.id }, { $set: { schedulesRev: 1 } })
    board.board.report({ cause: 'config', result: 'rejected', reason: 'too many', configRev: 0, schedulesRev: 0 })
    await app.settled()
    await app.rollouts.tick()
    board.board.report({ cause: 'config', configRev: board.board.configs.at(-1)?.rev })
    await app.settled()
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ done: 1 })
  })

  test.each([
    ['of a colour', { activeColor: 'red' }, 0],
    ['of the time zone, which its schedules have too,', { timezone: 'America/Coyhaique' }, 1]
  ])('%s fails when a board refuses it', async (_what, set, schedulesRev) => {
    const board = await app.device(owner)
    app.clock.advance(2000)
    const id = await change([board], set)
    await app.rollouts.tick()
    await app.models.devices.updateOne({ _id: board.id }, { $set: { schedulesRev } })
    board.board.report({ cause: 'config', result: 'rejected', reason: 'no', configRev: 0, schedulesRev: 0 })
    await app.settled()
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ failed: 1 })
  })

  test('waits for a database that is away while it is sent, and does not fail', async () => {
    const board = await app.device(owner)
    app.clock.advance(2000)
    const id = await change([board], { activeColor: 'red' })
    const storing = vi.spyOn(app.models.devices, 'findOneAndUpdate').mockImplementation(() => {
      throw new mongo.MongoNetworkError('the connection is lost')
    })
    onTestFinished(() => storing.mockRestore())
    await app.rollouts.tick()
    expect(storing).toHaveBeenCalled()
    storing.mockRestore()
    await app.rollouts.tick()
    await app.settled()
    board.board.report({ cause: 'config', configRev: board.board.configs.at(-1)?.rev })
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ done: 1 })
  })

  test('gives up a board that comes back again and again and confirms nothing, and not one that is back for the first time', async () => {
    const boards = [await app.device(owner), await app.device(owner)]
    const [stuck, away] = boards
    app.clock.advance(2000)
    const id = await change(boards, { activeColor: 'red' })
    const pass = async (ms: number) => {
      app.clock.advance(ms)
      app.broker.heartbeat()
      await app.settled()
      await app.rollouts.tick()
    }
    await pass(2000)
    away?.board.disconnect()
    for (let times = 1; times <= 5; times += 1) {
      expect((await rollout(id)).counts).toEqual({ sent: 2 })
      await pass(5 * 60_000)
      stuck?.board.disconnect()
      stuck?.board.connect()
      await app.settled()
      await pass(2000)
    }
    expect((await rollout(id)).counts).toEqual({ failed: 1, sent: 1 })
    away?.board.connect()
    await app.settled()
    await pass(2000)
    away?.board.report({ cause: 'config', configRev: away.board.configs.at(-1)?.rev })
    await app.settled()
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ failed: 1, done: 1 })
  })

  test('of the room does not pause because of boards that were offline before it', async () => {
    const boards = [await app.device(owner), await app.device(owner), await app.device(owner)]
    for (const { board } of boards) board.disconnect()
    await app.settled()
    app.clock.advance(600_000)
    const id = await change(boards, { setRoom: await room() })
    // One that was not checked yet keeps it running, until the others would be silent.
    const tryAt = new Date(app.clock.now() + 6 * minuteMs)
    await rows().updateOne({ rolloutId: new Types.ObjectId(id) }, { $set: { tryAt } })
    await app.rollouts.tick()
    expect((await rollout(id)).counts).toEqual({ done: 2, waiting: 1 })
    app.clock.advance(6 * minuteMs)
    await app.rollouts.tick()
    expect(await rollout(id)).toMatchObject({ state: 'done', paused: null, counts: { done: 3 } })
  })
})

test('a bulk change is started by another admin if approval is required', async () => {
  const strict = await startApi({ at: '2026-11-20T06:00:00Z', env: { ROLLOUT_APPROVAL: '1' } })
  onTestFinished(() => strict.stop())
  const [maker, second] = [strict.person('admin'), strict.person('admin')]
  const board = await strict.device(strict.person())
  const body = { deviceIds: [board.id], set: { activeColor: 'red' } }
  const { statusCode, data } = await strict.call('POST', '/bulk/devices', maker, body)
  expect([statusCode, data]).toMatchObject([201, { total: 1 }])
  const path = `/rollouts/${data.id}`
  const counts = async () => {
    await strict.rollouts.tick()
    return (await strict.call('GET', path, maker)).data
  }
  strict.clock.advance(2000)
  expect(await counts()).toMatchObject({
    state: 'waiting-approval',
    counts: { waiting: 1 },
    stages: [{ startedAt: null }]
  })
  const start = (by: Actor) => strict.call('PATCH', path, by, { state: 'running' })
  expect((await start(maker)).statusCode).toBe(403)
  expect((await start(second)).data).toMatchObject({ state: 'running', stages: [{ startedAt: expect.any(String) }] })
  expect(await counts()).toMatchObject({ counts: { sent: 1 } })
})

describe('the boards of a rollout', () => {
  const named = async (setName: string): Promise<AddedDevice> => {
    const board = await app.device(owner)
    expect((await app.call('PATCH', `/devices/${board.id}`, owner, { setName })).statusCode).toBe(200)
    return board
  }
  const targets = async (id: string, query: string) =>
    (await app.call('GET', `/rollouts/${id}/targets?${query}`, admin)).data as {
      targets: { deviceId: string; deviceName: string }[]
      total: number
    }

  test('are found by their names and MACs, in any spelling', async () => {
    const [kitchen, hall] = [await named('Kitchen, left'), await named('Hall')]
    const id = await change([kitchen, hall], { activeColor: 'red' })
    const found = async (text: string) => {
      const page = await targets(id, `search=${encodeURIComponent(text)}`)
      return [page.total, ...page.targets.map(({ deviceName }) => deviceName)]
    }
    expect(await found('kitchen')).toEqual([1, 'Kitchen, left'])
    for (const mac of [kitchen.mac, kitchen.mac.toLowerCase(), kitchen.mac.replaceAll(':', ''), kitchen.mac.slice(6)])
      expect(await found(mac), mac).toEqual([1, 'Kitchen, left'])
    expect(await found('cellar')).toEqual([0])
  })

  test('are sorted by their names once for all pages of a table', async () => {
    const boards = [await named('C'), await named('A'), await named('B')]
    const id = await change(boards, { activeColor: 'red' })
    const page = async (number: number) =>
      (await targets(id, `sort=deviceName&limit=2&page=${number}`)).targets.map(({ deviceName }) => deviceName)
    expect([await page(1), await page(2)]).toEqual([['A', 'B'], ['C']])
    const [renamed] = boards
    await app.call('PATCH', `/devices/${renamed?.id}`, owner, { setName: '0' })
    expect([await page(2), await page(1), await page(2)]).toEqual([['0'], ['0', 'A'], ['B']])
  })
})

describe('a cancelled rollout', () => {
  test('releases its boards after the call, and is shown as if it had done so at once', async () => {
    const boards = [await app.device(owner), await app.device(owner)]
    const set = { activeColor: 'red' }
    const id = await change(boards, set)
    const stored = async () => (await rows().distinct('phase', { rolloutId: new Types.ObjectId(id) })) as string[]
    const told: object[] = []
    const off = app.events.on('rollout-notice', (event) => void (event.id === id && told.push(event.counts)))
    const cancelled = await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'cancelled' })
    expect(await stored()).toEqual(['waiting'])
    expect(cancelled.data.counts).toEqual({ skipped: 2 })
    await expect.poll(() => told).toEqual([{ skipped: 2 }])
    off()
    for (const [query, total] of [
      ['', 2],
      ['?phase=skipped', 2],
      ['?phase=waiting', 0]
    ] as const) {
      const { data } = await app.call('GET', `/rollouts/${id}/targets${query}`, admin)
      const phases = (data.targets as { phase: string }[]).map(({ phase }) => phase)
      expect([data.total, ...phases], query).toEqual([total, ...Array.from({ length: total }, () => 'skipped')])
    }
    const another = await change(boards.slice(0, 1), set)
    expect(await stored()).toEqual(expect.arrayContaining(['skipped', 'waiting']))
    // The next instance to find it after a kill continues.
    await app.rollouts.tick()
    expect(await stored()).toEqual(['skipped'])
    expect((await rollout(id)).counts).toEqual({ skipped: 2 })
    expect((await rollout(another)).total).toBe(1)
    expect(await app.connection.collection('rollouts').countDocuments({ state: 'cancelled', isActive: true })).toBe(0)
  })
})

test.each(['/bulk/devices', '/bulk/devices?preview=1', '/rollouts', '/rollouts/preview'])(
  'a misspelt field of a filter is refused by %s, and does not mean all boards',
  async (path) => {
    const filter = { statuss: 'online' }
    const body = path.startsWith('/bulk')
      ? { filter, set: { activeColor: 'red' } }
      : { fileName: 'none-1.0.0.bin', target: { filter } }
    const { statusCode, errors } = await app.call('POST', path, admin, body)
    const at = path.startsWith('/bulk') ? 'filter' : 'target.filter'
    expect([statusCode, errors]).toEqual([400, [{ path: at, message: 'has no field statuss' }]])
  }
)

test.each(['/bulk/devices', '/bulk/devices?preview=1'])(
  'a setting of boards or rollouts that a bulk change cannot set is refused by %s, not ignored',
  async (path) => {
    const set = { activeColor: 'red', wifiSSID: 'new', name: 'Hall', labels: ['lab'] }
    const body = { filter: { label: 'none' }, set, updateWhen: 'night', atOnce: 1 }
    const { statusCode, errors } = await app.call('POST', path, admin, body)
    expect(statusCode).toBe(400)
    const named = errors?.map(({ path: field }: { path: string }) => field)
    expect(named?.toSorted()).toEqual(['atOnce', 'set.labels', 'set.name', 'set.wifiSSID', 'updateWhen'])
    const unknown = { filter: { label: 'none' }, set: { activeColor: 'red', nobodyKnows: 1 } }
    expect((await app.call('POST', '/bulk/devices', admin, unknown)).code).toBe('CONFLICT')
  }
)

test.each(['/rollouts', '/rollouts/preview'])('a read-only field of a rollout is refused by %s', async (path) => {
  const body = { fileName: 'none-1.0.0.bin', target: { filter: {} }, state: 'paused' }
  const { statusCode, errors } = await app.call('POST', path, admin, body)
  expect([statusCode, errors]).toEqual([400, [{ path: 'state', message: 'may not be set by this call' }]])
})
