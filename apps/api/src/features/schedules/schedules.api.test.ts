import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'
import type { Body } from '../../testing/test-instance.ts'

let app: TestApi
let sita: Actor
let ram: Actor
let admin: Actor
let device: AddedDevice
let theirs: AddedDevice
const nobody = 'f'.repeat(24)
/** Friday 11:45 in Kathmandu. */
const start = '2026-11-20T06:00:00Z'

beforeAll(async () => {
  app = await startApi({ at: start })
  admin = app.person('admin')
})
afterAll(() => app.stop())
beforeEach(async () => {
  app.clock.set(start)
  sita = app.person()
  ram = app.person()
  device = await app.device(sita)
  theirs = await app.device(ram)
})

const bodyFor = (on: AddedDevice, fields: Record<string, unknown> = {}) => ({
  ...eveningSchedule(on, 1),
  ...fields
})
const create = (fields: Record<string, unknown> = {}, as = sita): Promise<Body> =>
  app.call('POST', '/schedules', as, bodyFor(device, fields))

describe('a schedule is created', () => {
  test('with the fields of the form, and returned as stored', async () => {
    const made = await create({
      userId: sita.userId,
      label: 'Evening',
      repeatType: 'once',
      repeatDays: [],
      endDate: '',
      intervalSeconds: 5
    })
    expect(made).toMatchObject({
      statusCode: 201,
      message: 'Schedule created successfully!',
      data: {
        label: 'Evening',
        deviceId: { _id: device.id, deviceName: expect.any(String), setName: '' },
        switchId: { _id: device.switchIds[1], switchName: 'Switch 2' },
        switchIndex: 1,
        userId: sita.userId,
        // Computed by the server, whatever was sent.
        intervalSeconds: 4 * 3600,
        repeatType: 'once',
        repeatDays: [],
        endDate: null,
        timezone: 'Asia/Kathmandu',
        isActive: true,
        nextRunAt: '2026-11-20T12:15:00.000Z'
      }
    })
    expect(made['label']).toBeUndefined()
    const list = await app.call('GET', '/schedules', sita)
    expect(list.data.schedules).toEqual(list['schedules'])
    expect(list.data.schedules).toEqual([made.data])
  })
  test('without a label it gets the default one', async () => {
    expect((await create()).data.label).toBe('Unnamed Schedule')
    expect((await create({ label: '', switchId: device.switchIds[2], switchIndex: 2 })).data.label).toBe(
      'Unnamed Schedule'
    )
  })
  test('a repeating one without an end date never ends, with one it does', async () => {
    expect((await create({ repeatType: 'daily' })).data).toMatchObject({ endDate: null, isActive: true })
    // The end of the 30th in London is the beginning of the next day in Kathmandu.
    expect((await create({ repeatType: 'daily', endDate: '2026-11-30T23:59:59.999Z' })).data.endDate).toBe('2026-12-01')
  })
  test('weekdays are sent as repeatDays or days, are sorted, and belong to a weekly one only', async () => {
    expect((await create({ repeatType: 'weekly', repeatDays: ['Sat', 'Sun', 'Sat'] })).data.repeatDays).toEqual([
      'Sun',
      'Sat'
    ])
    expect((await create({ repeatType: 'weekly', days: ['Tue'] })).data).toMatchObject({
      repeatDays: ['Tue'],
      nextRunAt: '2026-11-24T12:15:00.000Z'
    })
    expect((await create({ repeatType: 'daily', repeatDays: ['Tue'] })).data.repeatDays).toEqual([])
  })
  test("its zone is the board's", async () => {
    const board = await app.device(sita, { timezone: 'America/New_York' })
    const made = await app.call('POST', '/schedules', sita, bodyFor(board))
    expect(made.data).toMatchObject({ timezone: 'America/New_York', nextRunAt: '2026-11-20T23:00:00.000Z' })
  })
  test.each([
    ["its owner's", 'Europe/London', '2026-11-20T18:00:00.000Z'],
    ['that of Nepal', null, '2026-11-20T12:15:00.000Z']
  ])('its zone is %s if the board has none', async (_whose, timezone, nextRunAt) => {
    const board = await app.device(sita, { timezone: '' })
    await app.call('PATCH', '/user/update-account', sita, { timezone: timezone ?? '' })
    const made = await app.call('POST', '/schedules', sita, bodyFor(board))
    expect(made.data).toMatchObject({ timezone: timezone ?? 'Asia/Kathmandu', nextRunAt })
  })
  test('sunrise and sunset are refused with the reason', async () => {
    expect((await create({ startTime: 'sunset' })).message).toBe(
      'startTime: cannot follow the sun: the place of the home is not known yet. Give a time HH:MM'
    )
  })
  test('once with a date runs on that date', async () => {
    expect((await create({ endDate: '2026-11-28' })).data.nextRunAt).toBe('2026-11-28T12:15:00.000Z')
  })
})

describe('invalid input is refused in plain words', () => {
  const required = 'Start time, start action, end time, and end action are required.'
  const differ = 'The days and repeatDays differ. Send one of the two.'
  const noSwitch = 'You must provide switchId and switchIndex to set a schedule!'
  test.each([
    [{ startTime: undefined }, 'startTime', required],
    [{ endTime: '' }, 'endTime', required],
    [{ startAction: null }, 'startAction', required],
    [{ endAction: undefined }, 'endAction', required],
    [{ switchId: undefined }, 'switchId', noSwitch],
    [{ switchIndex: null }, 'switchIndex', noSwitch],
    [{ repeatType: 'weekly' }, 'repeatDays', 'Please select at least one day for a weekly repeat.'],
    [{ repeatType: 'weekly', repeatDays: [] }, 'repeatDays', 'Please select at least one day for a weekly repeat.'],
    [{ startTime: '18:00', endTime: '18:00' }, 'endTime', 'Start time and end time must differ.'],
    [{ repeatType: 'weekly', days: ['Sat'], repeatDays: ['Fri'] }, 'days', differ],
    [{ repeatType: 'daily', endDate: '2026-11-19' }, 'endDate', 'The end date has passed.'],
    [{ endDate: '2026-11-19' }, 'endDate', 'The end date has passed.'],
    [
      { repeatType: 'weekly', repeatDays: ['Mon'], endDate: '2026-11-22' },
      'endDate',
      'The schedule would not run any more before its end date.'
    ]
  ])('%j', async (fields, path, message) => {
    const answer = await create(fields)
    expect(answer).toMatchObject({ statusCode: 400, code: 'VALIDATION', message })
    expect(answer.errors?.[0]?.path).toBe(path)
  })
  test.each([
    [{ startTime: '25:61' }, 'startTime'],
    [{ endTime: 'sunset+10' }, 'endTime'],
    [{ endTime: '7:5' }, 'endTime'],
    [{ repeatType: 'weekly', repeatDays: ['Funday'] }, 'repeatDays.0'],
    [{ repeatType: 'hourly' }, 'repeatType'],
    [{ startAction: 'toggle' }, 'startAction'],
    [{ endDate: '2026-02-30' }, 'endDate'],
    [{ timezone: '../x' }, 'timezone'],
    [{ nextRunAt: 'now' }, 'nextRunAt'],
    [{ switchIndex: 64 }, 'switchIndex'],
    [{ switchIndex: 1.5 }, 'switchIndex'],
    [{ switchIndex: 2 }, 'switchIndex'],
    [{ deviceId: 'x' }, 'deviceId'],
    [{ label: 'a\nb' }, 'label'],
    [{ startTime: { $gt: '' } }, 'startTime']
  ])('%j names its field', async (fields, path) => {
    const answer = await create(fields)
    expect(answer).toMatchObject({ statusCode: 400, code: 'VALIDATION' })
    expect(answer.errors?.map((fault) => fault.path)).toContain(path)
  })
})

describe('records of others', () => {
  test.each([
    ['a board', () => bodyFor(theirs)],
    ['a switch', () => bodyFor(device, { switchId: theirs.switchIds[1] })],
    ['an account', () => bodyFor(device, { userId: ram.userId })],
    ['a board that is not there', () => bodyFor(device, { deviceId: nobody })]
  ])('%s in a body is not found', async (_what, body) => {
    expect((await app.call('POST', '/schedules', sita, body())).statusCode).toBe(404)
    expect((await app.call('GET', '/schedules', sita)).data.total).toBe(0)
  })
  test('a schedule of another user is answered like a missing one, and stays unchanged', async () => {
    const { data } = await app.call('POST', '/schedules', ram, bodyFor(theirs))
    for (const [method, path, body] of [
      ['PATCH', '/schedules/', { label: 'x' }],
      ['PATCH', '/schedules/toggle/', undefined],
      ['DELETE', '/schedules/', undefined]
    ] as const) {
      const his = await app.call(method, `${path}${data._id}`, sita, body)
      const none = await app.call(method, `${path}${nobody}`, sita, body)
      expect(his.statusCode).toBe(404)
      expect({ ...his, requestId: '' }).toEqual({ ...none, requestId: '' })
    }
    expect((await app.call('GET', '/schedules', ram)).data.schedules).toEqual([data])
    expect((await app.call('GET', '/schedules', sita)).data.schedules).toEqual([])
  })
  test("a schedule cannot be moved to another user's board", async () => {
    const { data } = await create()
    const moved = await app.call('PATCH', `/schedules/${data._id}`, sita, {
      deviceId: theirs.id,
      switchId: theirs.switchIds[1]
    })
    expect(moved.statusCode).toBe(404)
  })
  test("the preview for another user's board is not found", async () => {
    expect((await app.call('POST', '/schedules/preview', sita, bodyFor(theirs))).statusCode).toBe(404)
  })
})

describe('a schedule is changed', () => {
  test('PATCH accepts days or repeatDays and keeps omitted fields', async () => {
    const { data } = await create({ label: 'Evening' })
    const weekly = await app.call('PATCH', `/schedules/${data._id}`, sita, { repeatType: 'weekly', days: ['Fri'] })
    expect(weekly.data).toMatchObject({
      label: 'Evening',
      startTime: '18:00',
      repeatType: 'weekly',
      repeatDays: ['Fri']
    })
    const later = await app.call('PATCH', `/schedules/${data._id}`, sita, {
      repeatDays: ['Sat'],
      startTime: '19:00',
      label: 'Late'
    })
    expect(later.data).toMatchObject({ label: 'Late', repeatDays: ['Sat'], nextRunAt: '2026-11-21T13:15:00.000Z' })
    expect(
      (await app.call('PATCH', `/schedules/${data._id}`, sita, { repeatType: 'weekly', days: [] })).statusCode
    ).toBe(400)
    expect((await app.call('PATCH', `/schedules/${data._id}`, sita, { label: '' })).statusCode).toBe(400)
    const same = { days: ['Fri', 'Sun'], repeatDays: ['Sun', 'Fri'] }
    expect((await app.call('PATCH', `/schedules/${data._id}`, sita, same)).data.repeatDays).toEqual(['Sun', 'Fri'])
    const differing = await app.call('PATCH', `/schedules/${data._id}`, sita, { days: ['Sat'], repeatDays: ['Fri'] })
    expect([differing.statusCode, differing.errors?.[0]?.path]).toEqual([400, 'days'])
  })
  test('days alone are refused where they would change nothing, and follow a repeat that comes with them', async () => {
    const { data } = await create({ repeatType: 'daily' })
    const patch = (body: object) => app.call('PATCH', `/schedules/${data._id}`, sita, body)
    for (const field of ['days', 'repeatDays']) {
      const refused = await patch({ label: 'Late', [field]: ['Mon'] })
      expect([refused.statusCode, refused.errors?.[0]?.path]).toEqual([400, field])
    }
    expect((await patch({ days: [], label: 'Early' })).data).toMatchObject({ label: 'Early', repeatDays: [] })
    expect((await patch({ days: ['Mon'], repeatType: 'daily' })).data).toMatchObject({ repeatDays: [] })
    expect((await patch({ days: ['Mon'], repeatType: 'weekly' })).data).toMatchObject({ repeatDays: ['Mon'] })
  })
  test.each([
    ['what it does', { label: 'Evening' }, { startAction: 'off', endAction: 'on' }],
    ['when it runs', { startTime: '17:00' }, { endTime: '23:00' }]
  ])('concurrent changes of different fields both succeed: %s', async (_of, one, other) => {
    const { _id } = (await create()).data
    const patch = (fields: object) => app.call('PATCH', `/schedules/${_id}`, sita, fields)
    const answers = await Promise.all([patch(one), patch(other)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await app.call('GET', '/schedules', sita)).data.schedules).toMatchObject([{ ...one, ...other }])
  })
  test('the end date of a repeating one does not become the day of a single one', async () => {
    const { data } = await create({ repeatType: 'daily', endDate: '2026-12-24' })
    const once = await app.call('PATCH', `/schedules/${data._id}`, sita, { repeatType: 'once' })
    expect(once.data).toMatchObject({ endDate: null, nextRunAt: '2026-11-20T12:15:00.000Z' })
  })
  test('Set Passive and Set Active', async () => {
    const { data } = await create({ repeatType: 'daily' })
    expect((await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)).data).toMatchObject({
      isActive: false,
      nextRunAt: null
    })
    app.clock.set('2026-11-25T06:00:00Z')
    expect((await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)).data).toMatchObject({
      isActive: true,
      nextRunAt: '2026-11-25T12:15:00.000Z'
    })
  })
  test('Set Passive sent twice, because its answer was lost or by two people, leaves it inactive', async () => {
    const { data } = await create({ repeatType: 'daily' })
    const set = (isActive: unknown) => app.call('PATCH', `/schedules/toggle/${data._id}`, sita, { isActive })
    const first = await set(false)
    expect(first.data).toMatchObject({ isActive: false, nextRunAt: null })
    expect(await set(false)).toMatchObject({ statusCode: 200, data: first.data })
    expect((await set(true)).data).toEqual(data)
    expect((await set(true)).data).toEqual(data)
    expect(await set('yes')).toMatchObject({ statusCode: 400, errors: [{ path: 'isActive' }] })
    expect(device.board.schedules.map(({ entries }) => entries.length)).toEqual([2, 0, 2])
  })
  test('a body without a wanted state flips it, like no body', async () => {
    const { data } = await create({ repeatType: 'daily' })
    expect((await app.call('PATCH', `/schedules/toggle/${data._id}`, sita, {})).data).toMatchObject({ isActive: false })
    expect((await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)).data).toMatchObject({ isActive: true })
  })
  test('one whose end date has passed does not become active again', async () => {
    const { data } = await create({ repeatType: 'daily', endDate: '2026-11-21' })
    await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)
    app.clock.set('2026-11-25T06:00:00Z')
    expect(await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)).toMatchObject({
      statusCode: 409,
      code: 'CONFLICT'
    })
    const renamed = await app.call('PATCH', `/schedules/${data._id}`, sita, { label: 'Old one' })
    expect(renamed.data).toMatchObject({ label: 'Old one', isActive: false })
  })
  test('PUT replaces it, for admins only', async () => {
    const { data } = await create({ label: 'Evening', repeatType: 'daily' })
    const body = bodyFor(device, {
      userId: sita.userId,
      label: 'Morning',
      startTime: '06:00',
      endTime: '07:00',
      isActive: false
    })
    expect((await app.call('PUT', `/schedules/${data._id}`, sita, body)).statusCode).toBe(403)
    expect((await app.call('PUT', `/schedules/${data._id}`, admin, body)).data).toMatchObject({
      label: 'Morning',
      repeatType: 'once',
      isActive: false,
      userId: sita.userId
    })
  })
  test('PUT gives fields that are not sent their defaults', async () => {
    const { data } = await create({ label: 'Evening', repeatType: 'weekly', repeatDays: ['Mon'] })
    await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)
    expect((await app.call('PUT', `/schedules/${data._id}`, admin, bodyFor(device))).data).toMatchObject({
      label: 'Unnamed Schedule',
      repeatType: 'once',
      repeatDays: [],
      isActive: true
    })
  })
  test('a board that moves to another zone moves its schedules too', async () => {
    const { data } = await create({ repeatType: 'daily' })
    await app.call('PATCH', `/devices/${device.id}`, sita, { timezone: 'Europe/London' })
    await expect
      .poll(async () => (await app.call('GET', '/schedules', sita)).data.schedules[0])
      .toMatchObject({ _id: data._id, timezone: 'Europe/London', nextRunAt: '2026-11-20T18:00:00.000Z' })
    await expect.poll(() => device.board.schedules.at(-1)).toMatchObject({ timezone: 'Europe/London' })
  })
})

describe('the preview', () => {
  test('shows the next five firings, in the zone of the home', async () => {
    const { data } = await app.call('POST', '/schedules/preview', sita, bodyFor(device, { repeatType: 'daily' }))
    expect(data.timezone).toBe('Asia/Kathmandu')
    expect(data.firings).toEqual(
      [
        ['2026-11-20T12:15:00.000Z', 'start', 'on', '2026-11-20T18:00+05:45'],
        ['2026-11-20T16:15:00.000Z', 'end', 'off', '2026-11-20T22:00+05:45'],
        ['2026-11-21T12:15:00.000Z', 'start', 'on', '2026-11-21T18:00+05:45'],
        ['2026-11-21T16:15:00.000Z', 'end', 'off', '2026-11-21T22:00+05:45'],
        ['2026-11-22T12:15:00.000Z', 'start', 'on', '2026-11-22T18:00+05:45']
      ].map(([at, phase, action, local]) => ({ at, phase, action, local }))
    )
    expect((await app.call('GET', '/schedules', sita)).data.total).toBe(0)
  })
  test.each([
    [{}, ['end 20:00']],
    [{ repeatType: 'daily', endDate: '2026-11-20' }, ['end 20:00']],
    [{ repeatType: 'daily', endDate: '2026-11-21' }, ['end 20:00', 'start 18:00', 'end 20:00']]
  ])('of an edit during a run begins with the end of that run, as saving does (%j)', async (fields, expected) => {
    const made = await create(fields)
    const scheduleId = made.data._id
    app.clock.set('2026-11-20T12:15:00Z')
    await app.schedules.tick()
    app.clock.set('2026-11-20T13:00:00Z')
    const edited = { ...fields, endTime: '20:00' }
    const { data } = await app.call('POST', '/schedules/preview', sita, bodyFor(device, { ...edited, scheduleId }))
    const shown = data.firings.map(({ phase, local }: Record<string, string>) => `${phase} ${local?.slice(11, 16)}`)
    expect(shown).toEqual(expected)
    const saved = await app.call('PATCH', `/schedules/${scheduleId}`, sita, edited)
    expect(saved.data.nextRunAt).toBe(data.firings[0].at)
  })
  test('of an edit of an inactive schedule begins with the next start', async () => {
    const { data: made } = await create({ isActive: false })
    app.clock.set('2026-11-20T13:00:00Z')
    const body = bodyFor(device, { scheduleId: made._id })
    const { data } = await app.call('POST', '/schedules/preview', sita, body)
    expect(data.firings[0].phase).toBe('start')
  })
  test("of an edit of somebody else's schedule is not found", async () => {
    const { data: made } = await create()
    const body = bodyFor(theirs, { scheduleId: made._id })
    expect((await app.call('POST', '/schedules/preview', ram, body)).statusCode).toBe(404)
  })
  test('refuses what saving would refuse', async () => {
    const answer = await app.call('POST', '/schedules/preview', sita, bodyFor(device, { repeatType: 'weekly' }))
    expect(answer.message).toBe('Please select at least one day for a weekly repeat.')
  })
  test('refuses another zone than its own, as saving does', async () => {
    for (const path of ['/schedules', '/schedules/preview'])
      expect(await app.call('POST', path, sita, bodyFor(device, { timezone: 'UTC' })), path).toMatchObject({
        statusCode: 400,
        errors: [{ path: 'timezone' }]
      })
  })
})

describe('the copy on the board', () => {
  const entries = () => device.board.schedules.at(-1)?.entries ?? []
  test('follows every change, each with a higher revision', async () => {
    const { data } = await create({ repeatType: 'daily' })
    expect(entries().map(({ id, time, on }) => [id, time, on])).toEqual([
      [`${data._id}:start`, '18:00', true],
      [`${data._id}:end`, '22:00', false]
    ])
    await app.call('PATCH', `/schedules/${data._id}`, sita, { startTime: '17:00' })
    expect(entries()[0]?.time).toBe('17:00')
    await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)
    expect(entries()).toEqual([])
    await app.call('PATCH', `/schedules/toggle/${data._id}`, sita)
    await app.call('DELETE', `/schedules/${data._id}`, sita)
    expect(entries()).toEqual([])
    expect(device.board.schedules.map(({ rev }) => rev)).toEqual([1, 2, 3, 4, 5])
  })
  test('is sent to a board that was offline when it is back, until it is confirmed', async () => {
    device.board.disconnect()
    await create({ repeatType: 'daily' })
    expect(device.board.schedules).toEqual([])
    device.board.connect()
    await expect.poll(() => device.board.schedules.length).toBe(1)
    device.board.report({ cause: 'config', schedulesRev: 1 })
    device.board.connect()
    await app.settled()
    expect(device.board.schedules).toHaveLength(1)
  })
  test('gets a revision above that of a board from a lost database, at once and with the next change', async () => {
    await create({ repeatType: 'daily' })
    device.board.report({ cause: 'config', schedulesRev: 7 })
    await app.settled()
    device.board.connect()
    await expect.poll(() => device.board.schedules.map(({ rev }) => rev)).toEqual([1, 8])
    expect(entries()).toHaveLength(2)
    device.board.report({ cause: 'config', schedulesRev: 12 })
    await app.settled()
    await create({ repeatType: 'daily' })
    expect(device.board.schedules.at(-1)).toMatchObject({ rev: 13 })
  })
})

describe('limits', () => {
  const fill = async (on: AddedDevice, count: number, owner: Actor) => {
    const { data } = await app.call('POST', '/schedules', owner, bodyFor(on))
    const copies = app.connection.collection('schedules')
    const { _id, ...document } = (await copies.findOne({ _id: new Types.ObjectId(data._id) })) ?? {}
    await copies.insertMany(Array.from({ length: count - 1 }, () => ({ ...document })))
    return data
  }
  test('50 on a board, also if two are created at once', async () => {
    await fill(device, 49, sita)
    const two = await Promise.all([create(), create()])
    expect(two.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(await create()).toMatchObject({ statusCode: 409, code: 'LIMIT_REACHED' })
    expect((await app.call('GET', '/schedules', sita)).data.total).toBe(50)
  })
  test('50 on a board, also if six are moved there at once', async () => {
    const target = await app.device(sita)
    await fill(target, 48, sita)
    const moving = await Promise.all(Array.from({ length: 6 }, () => create()))
    const body = { deviceId: target.id, switchId: target.switchIds[1], switchIndex: 1 }
    const answers = await Promise.all(moving.map(({ data }) => app.call('PATCH', `/schedules/${data._id}`, sita, body)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 409, 409, 409, 409
    ])
    expect((await app.call('GET', `/schedules?deviceId=${target.id}`, sita)).data.total).toBe(50)
  })
  test('500 of a user, who may still move each of them to another board', async () => {
    const made: Body['data'][] = []
    for (let boards = 0; boards < 10; boards += 1)
      made.push(await fill(await app.device(sita, { isOnline: false }), 50, sita))
    expect(await create()).toMatchObject({ statusCode: 409, code: 'LIMIT_REACHED' })
    const body = { deviceId: device.id, switchId: device.switchIds[1] }
    expect((await app.call('PATCH', `/schedules/${made[0]._id}`, sita, body)).statusCode).toBe(200)
  })
})

describe('staff', () => {
  test('see all and search by label, board or switch', async () => {
    await create({ label: 'Aquarium light' })
    await app.call('POST', '/schedules', ram, bodyFor(theirs, { label: 'Heater' }))
    const found = async (search: string) =>
      (await app.call('GET', `/schedules?search=${search}`, admin)).data.schedules.map(
        ({ label }: { label: string }) => label
      )
    expect(await found('aquarium')).toEqual(['Aquarium light'])
    await app.call('PATCH', `/devices/${theirs.id}`, ram, { setName: 'Sauna board' })
    expect(await found('sauna')).toEqual(['Heater'])
    await app.call('PATCH', `/switches/by-id/${theirs.switchIds[1]}`, ram, { switchName: 'Hot stones' })
    expect(await found('stones')).toEqual(['Heater'])
    expect((await app.call('GET', '/schedules?search=sauna', sita)).data.schedules).toEqual([])
  })
  test('a monitor can read with its permission, and never write', async () => {
    const { data } = await create()
    const monitor = app.person('monitor', ['view schedules', 'control switches'])
    expect((await app.call('GET', '/schedules', monitor)).statusCode).toBe(200)
    expect((await app.call('PATCH', `/schedules/toggle/${data._id}`, monitor)).statusCode).toBe(403)
    expect((await app.call('POST', '/schedules', monitor, bodyFor(device))).statusCode).toBe(403)
    expect((await app.call('GET', '/schedules', app.person('monitor', ['view switches']))).statusCode).toBe(403)
  })
  test("an admin's schedule belongs to the owner of the board", async () => {
    expect((await create({}, admin)).data.userId).toBe(sita.userId)
    expect((await create({ userId: ram.userId }, admin)).statusCode).toBe(404)
  })
})

test('a switch that is moved to another outlet takes its schedules along, and gets the status of the new outlet', async () => {
  const { data } = await create({ switchId: device.switchIds[1], switchIndex: 1 })
  await app.call('DELETE', `/switches/${device.switchIds[3]}`, admin)
  const move = (body: object) => app.call('PATCH', `/switches/${device.switchIds[1]}`, admin, body)
  expect(await move({ switchIndex: 9 })).toMatchObject({ statusCode: 400, errors: [{ path: 'switchIndex' }] })
  expect((await move({ switchIndex: 3, status: true })).data).toMatchObject({ switchIndex: 3, status: true })
  expect(device.board.state).toEqual([false, false, false, true])
  expect((await app.call('PATCH', `/schedules/${data._id}`, sita, { label: 'Pump' })).data.switchIndex).toBe(3)
  expect(device.board.schedules.at(-1)?.entries).toMatchObject([{ index: 3 }, { index: 3 }])
})

describe('schedules are deleted', () => {
  test('with their board, switch or account', async () => {
    await create()
    await app.call('DELETE', `/switches/${device.switchIds[1]}`, admin)
    expect((await app.call('GET', '/schedules', sita)).data.total).toBe(0)
    expect(device.board.schedules.at(-1)?.entries).toEqual([])

    await app.call('POST', '/schedules', sita, bodyFor(device, { switchId: device.switchIds[2], switchIndex: 2 }))
    await app.call('DELETE', `/devices/${device.id}`, sita)
    expect((await app.call('GET', '/schedules', sita)).data.total).toBe(0)

    await app.call('POST', '/schedules', ram, bodyFor(theirs))
    await app.accounts.eraseHomeOf(ram.userId)
    expect((await app.call('GET', '/schedules', ram)).data.total).toBe(0)
  })
  test.each([
    ['its switch', (on: AddedDevice) => app.call('DELETE', `/switches/${on.switchIds[1]}`, admin)],
    ['its board', (on: AddedDevice) => app.call('DELETE', `/devices/${on.id}`, admin)],
    ['its board, by its owner', (on: AddedDevice) => app.call('DELETE', `/devices/${on.id}`, sita)],
    [
      'its board, to another owner',
      (on: AddedDevice) => app.call('PATCH', `/devices/${on.id}`, admin, { userId: ram.userId })
    ]
  ])('with %s, also if a schedule is created or moved there at that moment', async (_what, takeAway) => {
    for (let round = 0; round < 4; round += 1) {
      const goes = await app.device(sita)
      const { data } = await create()
      const there = bodyFor(goes)
      const [gone] = await Promise.all([
        takeAway(goes),
        app.call('POST', '/schedules', sita, there),
        app.call('PATCH', `/schedules/${data._id}`, sita, there)
      ])
      expect(gone.statusCode).toBe(200)
      expect(
        await app.connection.collection('schedules').countDocuments({ switchId: new Types.ObjectId(goes.switchIds[1]) })
      ).toBe(0)
    }
  })
})
