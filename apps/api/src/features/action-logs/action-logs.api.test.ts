import { dayMs, hourMs } from '@batti/kit/durations'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Types } from 'mongoose'
import type { Actor } from '../../platform/people/actor.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import { commandsOf } from '../../testing/commands-of.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let sita: Actor
let ram: Actor
let admin: Actor
let device: AddedDevice
let theirs: AddedDevice
/** Six o'clock (UTC) of the test's day: the time of the first row. */
let began: number

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T00:00:00Z' })
})
afterAll(() => app.stop())
/** Each test has a day and a log of its own: three rows at Sita's home, one at Ram's. */
beforeEach(async () => {
  await app.settled()
  await app.models.actionLogs.deleteMany({})
  began = Math.ceil((app.clock.now() + 1) / dayMs) * dayMs + 6 * hourMs
  app.clock.set(at(0))
  app.broker.heartbeat()
  ;[sita, ram, admin] = [app.person(), app.person(), app.person('admin')]
  device = await app.device(sita)
  theirs = await app.device(ram)
  await turn(sita, device, 0, true)
  app.clock.advance(1000)
  await press(device, 1)
  app.clock.advance(1000)
  await turn(admin, device, 0, false)
  await turn(ram, theirs, 0, true)
})

/** So long after the first row. */
const at = (ms: number) => new Date(began + ms).toISOString()
const dateAt = (ms: number) => at(ms).slice(0, 10)

/** Switches an outlet; resolves when the row is stored. */
async function turn(who: Actor, on: AddedDevice, index: number, status: boolean): Promise<void> {
  const answer = await app.call('PATCH', `/switches/by-id/${on.switchIds[index]}`, who, { status })
  expect(answer.statusCode).toBe(200)
}
const press = async (on: AddedDevice, index: number): Promise<void> => {
  on.board.state = on.board.state.map((state, each) => (each === index ? !state : state))
  on.board.report({ cause: 'button' })
  await app.settled()
}
interface Found {
  _id: string
  description: string
}
const list = async (as: Actor, query = '') => (await app.call('GET', `/switch-action-logs${query}`, as)).data

describe('who sees which rows', () => {
  test('users their own, newest first, with person and origin; staff all', async () => {
    const mine = await list(sita)
    expect(mine).toMatchObject({ total: 3, page: 1, totalPages: 1 })
    expect(
      mine.logs.map(({ description, userName, from }: Record<string, string>) => [description, userName, from])
    ).toEqual([
      ['Switch 1 turned OFF', admin.name, 'admin'],
      ['Switch 2 turned ON', '', 'board'],
      ['Switch 1 turned ON', sita.name, 'web']
    ])
    expect(mine.logs[2]).toMatchObject({
      kind: 'change',
      switchId: device.switchIds[0],
      switchIndex: 0,
      state: true,
      deviceMac: device.mac
    })
    expect((await list(admin)).total).toBe(4)
  })
  test('at home users see their own number, never that of staff who helped; staff see numbers', async () => {
    const phones = async (as: Actor) =>
      (await list(as)).logs.map(({ cause, userPhone }: { cause: { userId?: string }; userPhone: string | null }) => [
        cause.userId,
        userPhone
      ])
    for (const [who, phone] of await phones(sita)) expect(phone === null).toBe(who !== sita.userId)
    for (const [who, phone] of await phones(admin)) expect(phone === null).toBe(who === undefined)
  })
  test('a monitor needs the permission to view logs', async () => {
    expect((await app.call('GET', '/switch-action-logs', app.person('monitor', ['view logs']))).statusCode).toBe(200)
    expect((await app.call('GET', '/switch-action-logs', app.person('monitor', ['view users']))).statusCode).toBe(403)
  })
})

describe('filters', () => {
  test.each([
    ['switchId', () => `?switchId=${device.switchIds[1]}`, 1],
    ['deviceId', () => `?deviceId=${device.id}`, 3],
    ['another board', () => `?deviceId=${theirs.id}`, 0],
    ['from', () => '?from=board', 1],
    ['since', () => `?since=${at(1000)}`, 2],
    ['until', () => `?until=${at(1000)}`, 2],
    ['search', () => '?search=turned%20off', 1],
    ['search that is no pattern', () => '?search=.*', 0]
  ])('by %s', async (_what, query, total) => {
    expect((await list(sita, query())).total).toBe(total)
  })
  test("staff find a person's rows by phone number", async () => {
    const people = (await list(admin, '?from=web')).logs
    const phone = people[0].userPhone
    const found = await list(admin, `?search=${encodeURIComponent(phone)}`)
    expect(new Set(found.logs.map(({ userPhone }: { userPhone: string }) => userPhone))).toEqual(new Set([phone]))
  })
  test('at home a search does not reveal whose number it is', async () => {
    const helped = (await list(admin, '?from=admin')).logs
    const phone = helped[0].userPhone
    expect((await list(admin, `?search=${encodeURIComponent(phone)}`)).total).toBe(1)
    expect((await list(sita, `?search=${encodeURIComponent(phone)}`)).total).toBe(0)
  })
  test.each(['?from=nowhere', '?since=yesterday', '?switchId=x', '?page=0', '?sort=deviceMac'])(
    '%s is refused',
    async (query) => {
      expect((await app.call('GET', `/switch-action-logs${query}`, sita)).statusCode).toBe(400)
    }
  )
})

describe('a log of more rows than anybody reads', () => {
  test("is searched in its newest rows; a home, a board and a person's own rows are searched completely", async () => {
    const gita = app.person()
    const row = (owner: Actor, description: string, createdAt: Date) => ({
      _id: new Types.ObjectId(),
      kind: 'change',
      userId: new Types.ObjectId(owner.userId),
      description,
      userName: owner.name,
      from: 'web',
      cause: { by: 'user', userId: owner.userId, userName: owner.name, from: 'web' },
      createdAt
    })
    const logs = app.connection.collection('switchActionLogs')
    await logs.insertOne(row(gita, 'Chandelier turned ON', new Date('2026-10-01T00:00:00Z')))
    const many = Array.from({ length: 5001 }, (_, index) =>
      row(ram, `Lantern ${index} turned ON`, new Date(Date.parse('2026-11-01T00:00:00Z') + index * 1000))
    )
    for (const batch of inBatches(many)) await logs.insertMany(batch)
    const total = async (query: string) => (await list(admin, query)).total
    expect(await total('?search=chandelier')).toBe(0)
    expect(await total(`?search=chandelier&userId=${gita.userId}`)).toBe(1)
    expect(await total(`?search=${encodeURIComponent(gita.name)}`)).toBe(1)
    expect(await total('?search=lantern%205000')).toBe(1)
    expect((await list(gita, '?search=chandelier')).total).toBe(1)
    // The newest are sorted and older ones follow by time: each row is on one page, also if a page has some of both.
    const all = (await list(admin)).total
    const ids: string[] = []
    for (let page = 1; page <= Math.ceil(all / 499); page += 1)
      ids.push(...(await list(admin, `?sort=description&limit=499&page=${page}`)).logs.map(({ _id }: Found) => _id))
    expect([ids.length, new Set(ids).size]).toEqual([all, all])
    const described = async (query: string) =>
      (await list(admin, `?${query}`)).logs.map(({ description }: Found) => description)
    expect(await described('sort=description&limit=1')).toEqual(['Lantern 10 turned ON'])
    expect(await described('sort=-description&limit=1')).toEqual(['Switch 2 turned ON'])
    expect((await described(`sort=description&limit=1&page=${all}`))[0]).toBe('Chandelier turned ON')
  })
})

describe('on-times', () => {
  test('seconds per local day and switch, including the state before', async () => {
    // On at 11:45 in Kathmandu, off a few seconds later; the second switch is on ever since. It is midnight of the next day.
    app.clock.set(at(dayMs + 12.25 * hourMs))
    app.broker.heartbeat()
    const answer = await app.call('GET', '/switch-on-times?days=3', sita)
    expect(answer.data.timezone).toBe('Asia/Kathmandu')
    expect(answer.data.switches).toHaveLength(4)
    const [first, second] = answer.data.switches
    expect(first).toMatchObject({ switchId: device.switchIds[0], switchName: 'Switch 1' })
    expect(first.days).toEqual([
      { date: dateAt(0), seconds: 2 },
      { date: dateAt(dayMs), seconds: 0 },
      { date: dateAt(2 * dayMs), seconds: 0 }
    ])
    const untilMidnight = 12.25 * 3600 - 1
    expect(second.days.map(({ seconds }: { seconds: number }) => seconds)).toEqual([untilMidnight, 86_400, 0])
    // A window that begins after the change knows it too.
    const late = await app.call('GET', `/switch-on-times?days=1&switchId=${device.switchIds[1]}&timezone=UTC`, sita)
    expect(late.data.switches).toEqual([
      {
        switchId: device.switchIds[1],
        switchName: 'Switch 2',
        days: [{ date: dateAt(dayMs), seconds: 18.25 * 3600 }],
        spans: [{ from: began + 18 * hourMs, to: began + dayMs + 12.25 * hourMs }]
      }
    ])
  })
  test('of one board for staff, who must name it; another user’s board is not found', async () => {
    const path = `/switch-on-times?days=3&deviceId=${device.id}`
    const [seen, own] = [await app.call('GET', path, admin), await app.call('GET', path, sita)]
    expect(seen.data.switches).toHaveLength(4)
    expect(own.data).toEqual(seen.data)
    expect((await app.call('GET', '/switch-on-times', admin)).statusCode).toBe(400)
    expect((await app.call('GET', path, app.person())).statusCode).toBe(404)
  })
  test('a fan that was already on when its speed changed was on all day', async () => {
    const owner = app.person()
    const board = await app.device(owner, { outlets: 1, fanIndexes: [0] })
    board.board.state = [true]
    board.board.report({})
    await app.settled()
    const row = await app.models.actionLogs.findOne({ deviceId: board.id }).lean()
    await app.models.actionLogs.create({
      ...row,
      _id: new Types.ObjectId(),
      report: { bootId: 'boot-1234', seq: 1 },
      createdAt: new Date(at(-dayMs))
    })
    const answer = await app.call('GET', '/switch-on-times?days=1&timezone=UTC', owner)
    expect(answer.data.switches[0].days).toEqual([{ date: dateAt(0), seconds: 6 * 3600 + 2 }])
  })
  test('of a board that changed hands count from then on, though its first row says that it was on before', async () => {
    const owner = app.person()
    const board = await app.device(owner, { outlets: 1 })
    board.board.state = [true]
    board.board.report({})
    await app.settled()
    const ownedSince = new Date(app.clock.now() - 3_600_000)
    await app.models.devices.updateOne({ _id: board.id }, { $set: { ownedSince } })
    await app.models.actionLogs.deleteMany({ deviceId: board.id })
    board.board.state = [false]
    board.board.report({})
    await app.settled()
    const answer = await app.call('GET', '/switch-on-times?timezone=UTC', owner)
    const seconds: number[] = answer.data.switches[0].days.map((day: { seconds: number }) => day.seconds)
    expect(seconds.reduce((sum, each) => sum + each, 0)).toBe(3600)
  })
  test.each(['of another home', 'of the same home, which had it before'])(
    'of a board that changed hands count nothing %s',
    async (whose) => {
      const owner = app.person()
      const former = whose === 'of another home' ? app.person() : owner
      const board = await app.device(owner, { outlets: 1 })
      await app.settled()
      await app.models.actionLogs.deleteMany({ deviceId: board.id })
      const ago = (ms: number) => new Date(app.clock.now() - ms)
      await app.models.devices.updateOne({ _id: board.id }, { $set: { ownedSince: ago(3_600_000) } })
      await app.models.actionLogs.create({
        kind: 'change',
        userId: former.userId,
        description: 'Turned on Lamp',
        from: 'board',
        deviceId: board.id,
        switchId: board.switchIds[0] ?? null,
        state: true,
        createdAt: ago(7_200_000)
      })
      const answer = await app.call('GET', '/switch-on-times?timezone=UTC', owner)
      expect(answer.data.switches[0].spans).toEqual([])
    }
  )
  test('of a switch with hundreds of changes are read from the database in one reply', async () => {
    const heard = await startApi({ at: '2026-11-20T06:00:00Z', hearsQueries: true })
    try {
      const owner = heard.person()
      const { id: deviceId, switchIds } = await heard.device(owner, { outlets: 1 })
      const row = {
        kind: 'change',
        userId: owner.userId,
        description: 'Lamp',
        from: 'web',
        deviceId,
        switchId: switchIds[0]
      }
      await heard.models.actionLogs.insertMany(
        Array.from({ length: 300 }, (_, n) => ({
          ...row,
          state: n % 2 === 1,
          createdAt: new Date(heard.clock.now() - 1000 * (n + 1))
        }))
      )
      const sent = await commandsOf(heard, async () => {
        const answer = await heard.call('GET', '/switch-on-times', owner)
        expect(answer.data.switches[0].spans).toHaveLength(150)
      })
      const reads = sent.filter(({ command }) =>
        [command['find'], command['aggregate'], command['collection']].includes('switchActionLogs')
      )
      expect(reads.map(({ commandName }) => commandName)).toEqual(['aggregate'])
    } finally {
      await heard.stop()
    }
  })
  test("another user's switch is not found, an unknown zone is refused", async () => {
    expect((await app.call('GET', `/switch-on-times?switchId=${theirs.switchIds[0]}`, sita)).statusCode).toBe(404)
    expect((await app.call('GET', '/switch-on-times?timezone=../x', sita)).statusCode).toBe(400)
    expect((await app.call('GET', '/switch-on-times?days=32', sita)).statusCode).toBe(400)
    expect((await app.call('GET', `/switch-on-times?switchId=${device.switchIds[0]}`, admin)).statusCode).toBe(200)
    expect((await app.call('GET', '/switch-on-times', admin)).statusCode).toBe(400)
  })
})

describe('rows are deleted', () => {
  test('one by one, by their owner', async () => {
    const [row] = (await list(ram)).logs
    const none = await app.call('DELETE', `/switch-action-logs/${new Types.ObjectId().toHexString()}`, sita)
    const theirsGone = await app.call('DELETE', `/switch-action-logs/${row._id}`, sita)
    expect({ ...theirsGone, requestId: '' }).toEqual({ ...none, requestId: '' })
    expect((await list(ram)).total).toBe(1)
    expect((await app.call('DELETE', `/switch-action-logs/${row._id}`, ram)).statusCode).toBe(200)
    expect((await list(ram)).total).toBe(0)
  })
  test("by DELETE: the caller's own and no others", async () => {
    expect((await app.call('DELETE', '/switch-action-logs', sita)).data).toEqual({ deleted: 3 })
    expect((await list(sita)).total).toBe(0)
    expect((await list(ram)).total).toBe(1)
  })
  test('POST clears all, by admins alone; who did it is in the audit log', async () => {
    expect((await app.call('POST', '/switch-action-logs', ram)).statusCode).toBe(403)
    expect((await list(ram)).total).toBe(1)
    expect((await app.call('POST', '/switch-action-logs', admin)).data).toEqual({ deleted: 4 })
    expect(await list(admin)).toMatchObject({ logs: [], total: 0 })
    expect((await app.call('GET', '/audit-logs?action=action-log.clear', admin)).data.logs[0]).toMatchObject({
      actor: { _id: admin.userId },
      target: { label: 'All logs' }
    })
    expect((await app.call('POST', '/switch-action-logs', admin)).data).toEqual({ deleted: 0 })
  })
  test('with an account, so that nothing personal remains', async () => {
    const leaving = app.person()
    const board = await app.device(leaving)
    await turn(leaving, board, 0, true)
    await turn(ram, theirs, 2, true)
    await app.models.actionLogs.updateOne(
      { userId: ram.userId, switchIndex: 2 },
      { $set: { 'cause.userId': leaving.userId, 'cause.userName': leaving.name, userName: leaving.name } }
    )
    const [{ description }] = (await list(ram)).logs
    await app.accounts.eraseHomeOf(leaving.userId)
    const everything = JSON.stringify(await app.connection.collection('switchActionLogs').find({}).toArray())
    expect(everything).not.toContain(leaving.userId)
    expect(everything).not.toContain(`"${leaving.name}"`)
    expect((await list(ram)).logs[0]).toMatchObject({ userName: '', description })
  })
  test('a row of an earlier version says that the log was cleared without the name of an admin who has left', async () => {
    const left = app.person('admin')
    await app.models.actionLogs.create({
      kind: 'notice',
      description: `${left.name} cleared the whole action log`,
      userName: left.name,
      from: 'admin',
      cause: { by: 'user', userId: left.userId },
      createdAt: new Date()
    })
    await app.accounts.eraseHomeOf(left.userId)
    const everything = JSON.stringify((await list(admin)).logs)
    expect(everything).toContain('The whole action log was cleared')
    expect(everything).not.toContain(left.name)
  })
  test('with an account, also those written after its deletion', async () => {
    const leaving = app.person('admin')
    theirs.board.isMute = true
    const commands = theirs.board.commands.length
    const asked = app.call('PATCH', `/switches/by-id/${theirs.switchIds[3]}`, leaving, { status: true })
    await until('the board has the command', () => theirs.board.commands.length > commands)
    const stored = async () => JSON.stringify(await app.connection.collection('commands').find({}).toArray())
    await until('the command of the person who leaves is stored', async () => (await stored()).includes(leaving.userId))
    await app.accounts.eraseHomeOf(leaving.userId)
    const left = await stored()
    expect(left).not.toContain(leaving.userId)
    expect(left).not.toContain(`"${leaving.name}"`)
    theirs.board.isMute = false
    theirs.board.state[3] = true
    const commandId = theirs.board.commands.at(-1)?.id ?? ''
    theirs.board.report({ cause: 'command', commandId, result: 'applied', changed: [3] })
    expect((await asked).statusCode).toBe(200)
    await app.settled()
    const [row] = (await list(ram)).logs
    expect(row).toMatchObject({ switchIndex: 3, state: true, from: 'admin', userName: '' })
    expect(JSON.stringify(row)).not.toContain(leaving.userId)
  })
})
