import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let sita: Actor
let admin: Actor

beforeAll(async () => {
  app = await startApi({ hearsQueries: true })
  ;[sita, admin] = [app.person(), app.person('admin')]
})
afterAll(() => app.stop())

describe('the first server address of an offline board', () => {
  test.each([
    ['at once', [{ serverUrl: '10.0.0.6', serverPort: 8000 }]],
    ['one half after the other', [{ serverUrl: '10.0.0.6' }, { serverPort: 8000 }]]
  ])('reaches it when it is back, set %s', async (_how, bodies) => {
    const { id, board } = await app.device(sita, { isOnline: false })
    for (const body of bodies) {
      expect(await app.call('PATCH', `/devices/${id}`, admin, body)).toMatchObject({ statusCode: 200, data: body })
    }
    board.connect()
    await expect
      .poll(() => board.configs)
      .toMatchObject([{ rev: bodies.length, api: { host: '10.0.0.6', port: 8000 } }])
  })
})

test('settings get a revision above that of a board from a lost database, and count as confirmed when it confirms them', async () => {
  const { id, board } = await app.device(sita)
  board.report({ cause: 'config', configRev: 7 })
  await app.settled()
  const changed = await app.call('PATCH', `/devices/${id}`, sita, { activeColor: 'violet' })
  expect(changed.data).toMatchObject({ configRev: 8, configConfirmedRev: 7 })
  expect(board.configs).toMatchObject([{ rev: 8, activeColor: 'violet' }])
  board.report({ cause: 'config', configRev: 8 })
  await app.settled()
  await app.call('PATCH', `/devices/${id}`, sita, { activeColor: 'blue' })
  expect(board.configs.at(-1)).toMatchObject({ rev: 9, activeColor: 'blue' })
})

test('a change that did not reach the board is sent with the next one, whose confirmation counts for both', async () => {
  const { id, board } = await app.device(sita)
  // Stored by an instance that died before it could send it.
  await app.models.devices.updateOne({ _id: id }, { $set: { activeColor: 'violet' }, $inc: { configRev: 1 } })
  await app.call('PATCH', `/devices/${id}`, sita, { timezone: 'Asia/Tokyo' })
  expect(board.configs).toMatchObject([{ rev: 2, activeColor: 'violet', timezone: 'Asia/Tokyo' }])
  board.report({ cause: 'config', configRev: 2 })
  await app.settled()
  await app.call('PATCH', `/devices/${id}`, sita, { activeColor: 'blue' })
  expect(board.configs.at(-1)).toEqual({ rev: 3, activeColor: 'blue' })
})

test('a Wi-Fi password without a network is refused naming the field, until the network is known', async () => {
  const { id, board } = await app.device(sita)
  const change = (body: object) => app.call('PATCH', `/devices/${id}`, sita, body)
  const errors = [{ path: 'wifiSSID', message: 'Enter the name of the Wi-Fi network too.' }]
  for (const body of [{ wifiPassword: 'momo momo' }, { wifiSSID: '', wifiPassword: 'momo momo' }])
    expect(await change(body)).toMatchObject({ statusCode: 400, errors })
  expect((await change({ wifiSSID: '', wifiPassword: '' })).statusCode).toBe(200)
  expect((await change({ wifiSSID: 'Himal-2G', wifiPassword: 'momo momo' })).statusCode).toBe(200)
  expect((await change({ wifiPassword: 'more momo' })).statusCode).toBe(200)
  expect(board.configs.map(({ wifi }) => wifi?.password)).toEqual(['momo momo', 'more momo'])
})

test('an empty Wi-Fi password means an open network from the owner, and nothing from staff, who never see it', async () => {
  const { id, board } = await app.device(sita)
  const change = (body: object, as = sita) => app.call('PATCH', `/devices/${id}`, as, body)
  await change({ wifiSSID: 'Himal-2G', wifiPassword: 'momo momo' })
  expect((await change({ wifiSSID: 'Cafe', wifiPassword: '' }, admin)).statusCode).toBe(200)
  expect((await change({ wifiSSID: 'Bazaar', wifiPassword: '' })).data).not.toHaveProperty('wifiPassword')
  expect(board.configs.map(({ wifi }) => wifi)).toEqual([
    { ssid: 'Himal-2G', password: 'momo momo' },
    { ssid: 'Cafe', password: 'momo momo' },
    { ssid: 'Bazaar', password: '' }
  ])
})

test('the same Wi-Fi password again changes nothing: nothing is sent or recorded in the audit log', async () => {
  const { id, board } = await app.device(sita)
  const wifi = { wifiSSID: 'Himal-2G', wifiPassword: 'momo momo' }
  for (const as of [sita, sita, admin])
    expect((await app.call('PATCH', `/devices/${id}`, as, wifi)).statusCode).toBe(200)
  expect(board.configs).toHaveLength(1)
  expect((await app.call('GET', `/audit-logs?target=${id}&action=device.update`, admin)).data.total).toBe(0)
})

test('a changed server is sent with both of its addresses, with the default port if none is named', async () => {
  const { id, board } = await app.device(sita)
  const change = async (body: object) => {
    const { statusCode } = await app.call('PATCH', `/devices/${id}`, admin, body)
    board.report({ cause: 'config', configRev: board.configs.length })
    await app.settled()
    return statusCode
  }
  expect(await change({ serverPort: 9000 })).toBe(400)
  expect(await change({ serverUrl: 'first.example' })).toBe(200)
  expect(await change({ mqttPort: 8884 })).toBe(200)
  expect(await change({ serverUrl: 'second.example' })).toBe(200)
  expect(await change({ serverUrl: '' })).toBe(400)
  const api = (host: string) => ({ host, port: 49998 })
  expect(board.configs).toEqual([
    { rev: 1, api: api('first.example') },
    { rev: 2, mqtt: { host: 'first.example', port: 8884 } },
    { rev: 3, api: api('second.example'), mqtt: { host: 'second.example', port: 8884 } }
  ])
})

test('settings that a board never confirms are sent three times in all', async () => {
  const { id, board } = await app.device(sita)
  await app.call('PATCH', `/devices/${id}`, sita, { activeColor: 'violet' })
  for (let minute = 0; minute < 5; minute += 1) {
    app.broker.heartbeat()
    await app.settled()
    // Each answer is read from the database, like what is sent to the board again.
    await app.call('GET', `/devices/${id}`, sita)
  }
  expect(board.configs.map(({ rev }) => rev)).toEqual([1, 1, 1])
})

test('an owner is refused each field of staff, naming it', async () => {
  const { id } = await app.device(sita)
  const ofServer = { osVersion: '9.9.1', remoteCode: 'R2', serverUrl: '10.0.0.6', serverPort: 8000, mqttPort: 8883 }
  const ofStaff = { ...ofServer, labels: ['pilot'], pinnedVersion: { version: '1.4.0' } }
  for (const [path, value] of Object.entries(ofStaff))
    expect(await app.call('PATCH', `/devices/${id}`, sita, { [path]: value })).toMatchObject({
      statusCode: 400,
      errors: [{ path }]
    })
  expect((await app.call('PATCH', `/devices/${id}`, admin, ofStaff)).data).toMatchObject(ofStaff)
})

test('the id of another board in a body is refused naming the field; its own is accepted', async () => {
  const { id } = await app.device(sita)
  const other = await app.device(sita)
  const change = (deviceId: string) => app.call('PATCH', `/devices/${id}`, sita, { deviceId, setName: 'Hall' })
  expect(await change(other.id)).toMatchObject({ statusCode: 400, errors: [{ path: 'deviceId' }] })
  expect((await change(id)).data.setName).toBe('Hall')
})

test('both names of one setting are accepted if they agree, and refused naming the field if they differ', async () => {
  const { id } = await app.device(sita)
  const room = (await app.call('POST', '/rooms', sita, { roomName: 'Hall' })).data._id
  const refused: [object, string, string][] = [
    [{ name: 'Attic', setName: 'Porch' }, 'name', 'setName'],
    [{ roomId: room, setRoom: null }, 'roomId', 'setRoom'],
    [{ roomId: null, setRoom: room }, 'roomId', 'setRoom']
  ]
  for (const [body, path, other] of refused) {
    const errors = [{ path, message: `differs from ${other}: send one of the two` }]
    expect(await app.call('PATCH', `/devices/${id}`, sita, body)).toMatchObject({ statusCode: 400, errors })
  }
  const agreeing = { name: 'Porch', setName: 'Porch', roomId: room, setRoom: room }
  const { data } = await app.call('PATCH', `/devices/${id}`, sita, agreeing)
  expect(data).toMatchObject({ setName: 'Porch', setRoom: { _id: room } })
})

test('screens receive the changes of a board, without its Wi-Fi password and without fields for staff', async () => {
  const { id } = await app.device(sita)
  const received: object[] = []
  const stop = app.events.on('device-edited', ({ update }) => void received.push(update))
  const always = { setName: '', setRoom: null, activeColor: expect.any(String) as string, timezone: 'Asia/Kathmandu' }
  const ofServer = { osVersion: '9.9.1', remoteCode: 'R2', serverUrl: '10.0.0.6', serverPort: 8000, mqttPort: 8883 }
  await app.call('PATCH', `/devices/${id}`, admin, { ...ofServer, labels: ['pilot'] })
  await app.call('PATCH', `/devices/${id}`, sita, { wifiSSID: 'Himal-2G', wifiPassword: 'momo momo' })
  await app.call('PATCH', `/devices/${id}`, sita, { wifiSSID: 'Himal-2G', activeColor: 'violet' })
  stop()
  expect(received).toEqual([
    { ...always, ...ofServer },
    { ...always, wifiSSID: 'Himal-2G' },
    { ...always, activeColor: 'violet' }
  ])
})

test.each([
  [
    'serverUrl',
    ['', 'batti.local', 'server', '10.0.0.6', '2001:db8::6'],
    ['a b', 'http://evil', 'host:80', 'me@host', 'host/x']
  ],
  ['timezone', ['Asia/Kathmandu', 'UTC'], ['+05:45', '-08:00', 'Nowhere/Town', '']]
])('%s is normalized, or else refused naming the field', async (path, good, bad) => {
  const { id } = await app.device(sita)
  const set = (value: string) => app.call('PATCH', `/devices/${id}`, admin, { [path]: value })
  for (const value of good) expect((await set(value)).data, value).toMatchObject({ [path]: value })
  for (const value of bad) expect(await set(value), value).toMatchObject({ statusCode: 400, errors: [{ path }] })
})

/** Resolves when the next change of a single board is sent to the database. */
function writing(): Promise<void> {
  const client = app.connection.getClient()
  return new Promise((resolve) => {
    const hear = ({ command }: { command: { findAndModify?: string } }): void => {
      if (command.findAndModify !== app.models.devices.collection.name) return
      client.off('commandStarted', hear)
      resolve()
    }
    client.on('commandStarted', hear)
  })
}

test('what its old owner saves at the moment when a board moves does not reach the new owner', async () => {
  const ram = app.person()
  const { id } = await app.device(sita)
  const moving = await app.connection.startSession()
  moving.startTransaction()
  await app.models.devices.updateOne({ _id: id }, { userId: ram.userId }, { session: moving })
  const saving = writing()
  const body = { setName: 'Our hall', wifiSSID: 'Himal-2G', wifiPassword: 'momo momo' }
  const saved = app.call('PATCH', `/devices/${id}`, sita, body)
  await saving
  await moving.commitTransaction()
  await moving.endSession()
  expect(await saved).toMatchObject({ statusCode: 404, message: 'Device was not found.' })
  expect((await app.call('GET', `/devices/${id}`, ram)).data).toMatchObject({ setName: '', wifiSSID: '' })
})

test.each([
  ['its owner', () => sita],
  ['an admin', () => admin]
])('a board that %s puts into a room does not stay there when the room is deleted at once', async (_who, actor) => {
  const room = (await app.call('POST', '/rooms', sita, { roomName: 'Attic' })).data._id
  const { id } = await app.device(sita)
  let deleted: Promise<unknown> | undefined
  let claims = 0
  const hear = ({ command }: { command: object }): void => {
    if (JSON.stringify(command).includes('homeRev')) claims += 1
  }
  app.connection.getClient().on('commandStarted', hear)
  // The worst moment: the room was found, and the write comes after the whole deletion.
  const { devices } = app.models
  const write = devices.findOneAndUpdate.bind(devices)
  const held = vi.spyOn(devices, 'findOneAndUpdate').mockImplementationOnce((...args: Parameters<typeof write>) => {
    const query = write(...args)
    const exec = query.exec.bind(query)
    query.exec = async () => {
      let isDone = false
      deleted = app.call('DELETE', `/rooms/${room}`, sita).finally(() => void (isDone = true))
      const own = claims
      await expect.poll(() => isDone || claims > own).toBe(true)
      return exec()
    }
    return query
  })
  await app.call('PATCH', `/devices/${id}`, actor(), { setRoom: room })
  await deleted
  held.mockRestore()
  app.connection.getClient().off('commandStarted', hear)
  expect((await devices.findById(id).lean())?.setRoom).toBeNull()
})
