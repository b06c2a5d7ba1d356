import type { AuditLogRecord } from '@batti/contracts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { aMac } from '../../testing/a-mac.ts'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { signUp } from '../../testing/people.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor
let sita: Actor

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  admin = app.person('admin')
  sita = app.person()
})
afterAll(() => app.stop())

const rows = async (query = ''): Promise<AuditLogRecord[]> =>
  (await app.call('GET', `/audit-logs${query}`, admin)).data.logs
const newest = async (): Promise<AuditLogRecord | undefined> => (await rows('?limit=1'))[0]
const changeOf = (row: AuditLogRecord | undefined, field: string) => row?.changes.find((each) => each.field === field)

describe('a change by staff', () => {
  test('is recorded with who, what, where from, and every field of a new record', async () => {
    const room = await app.call('POST', '/rooms', admin, { roomName: 'Lab', userId: sita.userId })
    const row = await newest()
    expect(row).toMatchObject({
      at: new Date(app.clock.now()).toISOString(),
      actor: { _id: admin.userId, name: admin.name, role: 'admin' },
      action: 'room.create',
      target: { kind: 'room', _id: room.data._id, label: 'Lab' }
    })
    expect(changeOf(row, 'roomName')).toEqual({ field: 'roomName', before: null, after: 'Lab' })
    expect(changeOf(row, 'userId')?.after).toBe(sita.userId)
    expect([row?.ip, row?.requestId].every((text) => text !== undefined && text !== '')).toBe(true)
  })

  test('is recorded with the changed fields only, and not at all if nothing changed', async () => {
    const room = await app.call('POST', '/rooms', admin, { roomName: 'Old', userId: sita.userId })
    await app.call('PATCH', `/rooms/${room.data._id}`, admin, { roomName: 'New' })
    const changed = await newest()
    expect(changed).toMatchObject({
      action: 'room.update',
      changes: [{ field: 'roomName', before: 'Old', after: 'New' }]
    })
    await app.call('PATCH', `/rooms/${room.data._id}`, admin, { roomName: 'New' })
    expect(await newest()).toEqual(changed)
    await app.call('DELETE', `/rooms/${room.data._id}`, admin)
    expect(changeOf(await newest(), 'roomName')).toEqual({ field: 'roomName', before: 'New', after: null })
  })

  describe('that cannot be recorded', () => {
    /** The database fails at the row of the next change. */
    const failOnce = () =>
      vi.spyOn(app.connection.model('AuditLog'), 'create').mockRejectedValueOnce(new Error('the database went away'))

    test.each([true, false])('leaves a board to its owner, also in memory: online %s', async (isOnline) => {
      const ram = app.person()
      const { id, switchIds } = await app.device(sita, { isOnline })
      failOnce()
      expect((await app.call('PATCH', `/devices/${id}`, admin, { userId: ram.userId })).statusCode).toBe(500)
      const toggle = (as: Actor) => app.call('PATCH', `/switches/by-id/${switchIds[0]}`, as, { status: true })
      expect((await toggle(ram)).statusCode).toBe(404)
      expect((await toggle(sita)).statusCode).toBe(isOnline ? 200 : 409)
    })

    test('is sent neither to the board nor by mail', async () => {
      const { id, board } = await app.device(sita)
      const colour = (activeColor: string) => app.call('PATCH', `/devices/${id}`, admin, { activeColor })
      failOnce()
      expect((await colour('#112233')).statusCode).toBe(500)
      await colour('#445566')
      expect(board.configs).toMatchObject([{ activeColor: '#445566' }])

      const person = await signUp(app)
      const earlier = await app.messages(person.email)
      const rename = (name: string) =>
        app.call('PATCH', `/users/${person.id}`, admin, { email: `${name}-${person.email}` })
      failOnce()
      expect((await rename('lost')).statusCode).toBe(500)
      await rename('stored')
      expect((await app.takeMessage(person.email)).text).toContain(`stored-${person.email}`)
      expect(await app.messages(person.email)).toHaveLength(earlier.length + 1)
    })
  })

  test('that is refused records nothing and changes nothing', async () => {
    const before = await newest()
    const answer = await app.call('POST', '/rooms', admin, { roomName: 'x', userId: 'f'.repeat(24) })
    expect(answer.statusCode).toBe(404)
    expect(await newest()).toEqual(before)
  })

  test('names a secret field without its value', async () => {
    const user = await app.call('POST', '/users', admin, {
      name: 'Hari',
      email: 'hari@batti.test',
      phone: '9812345678',
      password: 'lamp under the stairs 7'
    })
    const made = await newest()
    expect(made).toMatchObject({ action: 'user.create', target: { kind: 'user', _id: user.data._id, label: 'Hari' } })
    expect(changeOf(made, 'password')).toEqual({ field: 'password', before: null, after: null })
    const { id } = await app.device(sita)
    await app.call('PATCH', `/devices/${id}`, admin, { wifiSSID: 'Himal', wifiPassword: 'very-secret-9' })
    const wifi = await newest()
    expect(changeOf(wifi, 'wifiPassword')).toEqual({ field: 'wifiPassword', before: null, after: null })
    expect(changeOf(wifi, 'wifiSSID')).toEqual({ field: 'wifiSSID', before: '', after: 'Himal' })
    expect(JSON.stringify(await rows())).not.toMatch(/very-secret|lamp under|\$2[aby]\$/)
  })

  test('that gives a board another owner is recorded as a move, not an update', async () => {
    const ram = app.person()
    const { id } = await app.device(sita)
    const answer = await app.call('PATCH', `/devices/${id}`, admin, { userId: ram.userId })
    expect(answer.statusCode).toBe(200)
    expect(changeOf(await newest(), 'userId')).toEqual({ field: 'userId', before: sita.userId, after: ram.userId })
    expect((await newest())?.action).toBe('device.move')
  })

  test('to a user, monitor, type, board, switch or schedule is recorded in one row', async () => {
    const phone = '9812345601'
    const monitor = await app.call('POST', '/monitors', admin, {
      name: 'Maya',
      phone: `+977${phone}`,
      email: 'm@batti.test'
    })
    await app.call('PUT', `/monitors/${monitor.data._id}`, admin, {
      name: 'Maya',
      phone: `+977${phone}`,
      email: 'm@batti.test',
      permissions: ['view users']
    })
    expect(changeOf(await newest(), 'permissions')).toMatchObject({ before: [], after: ['view users'] })
    await app.call('DELETE', `/monitors/${monitor.data._id}`, admin)
    const type = { deviceCode: 'BTX', deviceName: 'Test', hwModel: 'batti-test', numberOfSwitches: 2 }
    const made = await app.call('POST', '/device-types', admin, type)
    await app.call('PATCH', `/device-types/${made.data._id}`, admin, { deviceName: 'Test 2' })
    const board = await app.call('POST', '/devices', admin, {
      userId: sita.userId,
      deviceCode: 'BTX',
      deviceMac: aMac()
    })
    const { id, switchIds } = await app.device(sita)
    await app.call('PATCH', `/switches/by-id/${switchIds[0]}`, admin, { switchName: 'Lamp' })
    const schedule = await app.call('POST', '/schedules', admin, {
      userId: sita.userId,
      ...eveningSchedule({ id, switchIds })
    })
    expect(schedule).toMatchObject({ statusCode: 201 })
    await app.call('PATCH', `/schedules/toggle/${schedule.data._id}`, admin)
    await app.call('DELETE', `/schedules/${schedule.data._id}`, admin)
    await app.call('DELETE', `/switches/${switchIds[1]}`, admin)
    await app.call('DELETE', `/devices/${board.data._id}`, admin)
    await app.call('DELETE', `/device-types/${made.data._id}`, admin)
    expect((await rows('?limit=12')).map(({ action }) => action)).toEqual([
      'device-type.delete',
      'device.delete',
      'switch.delete',
      'schedule.delete',
      'schedule.update',
      'schedule.create',
      'switch.update',
      'device.create',
      'device-type.update',
      'device-type.create',
      'monitor.delete',
      'monitor.update'
    ])
  })

  test('that clears the action log is recorded here', async () => {
    const { switchIds } = await app.device(sita)
    await app.call('PATCH', `/switches/by-id/${switchIds[0]}`, sita, { status: true })
    await app.call('POST', '/switch-action-logs', admin)
    expect(await newest()).toMatchObject({
      action: 'action-log.clear',
      target: { kind: 'action-log', label: 'All logs' }
    })
  })

  test.each(['DELETE', 'POST'] as const)('that clears a log without rows is not recorded: %s', async (method) => {
    await app.models.actionLogs.deleteMany({})
    const before = await newest()
    expect((await app.call(method, '/switch-action-logs', admin)).data).toEqual({ deleted: 0 })
    expect(await newest()).toEqual(before)
  })

  test('is not a command to a switch', async () => {
    const { switchIds } = await app.device(sita)
    const before = await newest()
    expect((await app.call('PATCH', `/switches/by-id/${switchIds[0]}`, admin, { status: true })).statusCode).toBe(200)
    expect(await newest()).toEqual(before)
  })
})

describe("a user's own change", () => {
  test('is recorded only for the security of their account', async () => {
    const person = app.person()
    const before = await newest()
    await app.call('POST', '/rooms', person, { roomName: 'Mine' })
    expect(await newest()).toEqual(before)
    const other = { ...person, sessionId: 'a'.repeat(24) }
    await app.connection.collection('sessions').insertOne({
      ...(await app.connection.collection('sessions').findOne({})),
      _id: new app.connection.base.Types.ObjectId(other.sessionId),
      userId: new app.connection.base.Types.ObjectId(person.userId)
    } as never)
    await app.call('DELETE', `/user/sessions/${other.sessionId}`, person)
    const row = await newest()
    expect(row).toMatchObject({
      action: 'user.end-session',
      actor: { _id: person.userId, role: 'user' },
      target: { kind: 'session', label: row?.changes.find(({ field }) => field === 'userAgent')?.before }
    })
    expect(row?.changes.map(({ field, after }) => [field, after])).toEqual(
      ['userAgent', 'ip', 'createdAt'].map((field) => [field, null])
    )
  })

  test('of a password is recorded in their own name', async () => {
    const body = { name: 'Gita', email: 'gita@batti.test', phone: '9812345602', password: 'lamp under the stairs 7' }
    const gita = await app.call('POST', '/users', admin, body)
    const { accessToken } = (
      await app.http.post('/api/v1/user/login').send({ email: body.email, password: body.password })
    ).body.data
    await app.http
      .patch('/api/v1/user/change-password')
      .set('authorization', `Bearer ${accessToken}`)
      .send({ oldPassword: body.password, newPassword: 'another lamp 88' })
      .expect(200)
    expect(await newest()).toMatchObject({
      action: 'user.change-password',
      actor: { _id: gita.data._id, name: 'Gita', role: 'user' },
      target: { kind: 'user', _id: gita.data._id, label: 'Gita' },
      changes: [{ field: 'password', before: null, after: null }]
    })
  })
})

describe('staff', () => {
  test.each(['admin', 'monitor'] as const)(
    'are recorded when they change or delete their own account: %s',
    async (role) => {
      const password = 'lamp under the stairs 7'
      const email = `${role}@batti.test`
      const made = await app.call('POST', '/users', admin, { name: 'Hem', email, phone: '9812345603', password, role })
      const { accessToken } = (await app.http.post('/api/v1/user/login').send({ email, password })).body.data
      const mine = { action: 'user.update', actor: { _id: made.data._id, role }, target: { _id: made.data._id } }
      const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      await app.http
        .patch('/api/v1/user/update-account')
        .set('authorization', `Bearer ${accessToken}`)
        .attach('profileImage', picture, 'me.png')
        .expect(200)
      const row = await newest()
      expect(row).toMatchObject({
        ...mine,
        changes: [{ field: 'profileImage', before: null, after: expect.any(String) }]
      })
      await app.http
        .delete('/api/v1/user/delete-myaccount')
        .set('authorization', `Bearer ${accessToken}`)
        .send({ password })
        .expect(200)
      const left = await newest()
      expect(left).toMatchObject({ ...mine, action: 'user.delete' })
      expect(changeOf(left, 'name')).toEqual({ field: 'name', before: 'Hem', after: null })
    }
  )
})

describe('the list', () => {
  test('is filtered by actor, action and time, searched by label and name, and sorted', async () => {
    const room = await app.call('POST', '/rooms', admin, { roomName: 'Hari’s room', userId: sita.userId })
    await app.call('PATCH', `/rooms/${room.data._id}`, admin, { roomName: 'Hari’s den' })
    await app.call('POST', '/rooms', admin, { roomName: 'Shed', userId: sita.userId })
    expect(await rows(`?actor=${sita.userId}`)).toEqual([])
    expect((await rows(`?actor=${admin.userId}`)).length).toBeGreaterThan(2)
    const about = await rows(`?target=${room.data._id}`)
    expect(about.map(({ action, target }) => [action, target._id])).toEqual([
      ['room.update', room.data._id],
      ['room.create', room.data._id]
    ])
    const [hari] = about
    expect(new Set((await rows('?action=room.create')).map(({ action }) => action))).toEqual(new Set(['room.create']))
    expect(await rows(`?from=${new Date(app.clock.now() + 1).toISOString()}`)).toEqual([])
    expect((await rows(`?from=${hari?.at}&to=${hari?.at}`)).map(({ _id }) => _id)).toContain(hari?._id)
    expect((await rows('?search=hari')).map(({ target }) => target.label)).toContain('Hari’s den')
    const actions = (await rows('?sort=action')).map(({ action }) => action)
    expect(actions).toEqual(actions.toSorted())
    for (const query of ['?actor=x', '?target=x', '?action=room.paint', '?from=yesterday', '?sort=nonsense']) {
      expect((await app.call('GET', `/audit-logs${query}`, admin)).statusCode, query).toBe(400)
    }
  })

  test('is for admins only, and no call changes or deletes a row', async () => {
    const [row] = await rows()
    for (const as of [sita, app.person('monitor', ['view users', 'view logs', 'view devices'])]) {
      expect((await app.call('GET', '/audit-logs', as)).statusCode).toBe(403)
    }
    for (const method of ['DELETE', 'PATCH', 'PUT'] as const) {
      expect((await app.call(method, `/audit-logs/${row?._id}`, admin, {})).statusCode).toBe(404)
    }
    await expect(app.connection.model('AuditLog').deleteMany({})).rejects.toThrow('never changed')
  })
})

test('records a block after another has expired as a new one', async () => {
  app.events.emit('refused', { ip: '198.51.100.7', method: 'GET', url: '/', userAgent: '' })
  const { logs } = (await app.call('GET', '/unauthorized-logs', admin)).data
  const blockForAnHour = async () => {
    const until = new Date(app.clock.now() + 3_600_000).toISOString()
    await app.call('PATCH', `/unauthorized-logs/${logs[0]._id}`, admin, { blocked: true, until })
    return [
      { field: 'blocked', before: false, after: true },
      { field: 'until', before: null, after: until }
    ]
  }
  const first = await blockForAnHour()
  expect((await newest())?.changes).toEqual(first)
  app.clock.advance(3_600_001)
  const second = await blockForAnHour()
  expect((await newest())?.changes).toEqual(second)
})
