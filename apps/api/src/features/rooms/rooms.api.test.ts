import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let sita: Actor
let ram: Actor
let admin: Actor
const nobody = 'f'.repeat(24)

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  sita = app.person()
  ram = app.person()
  admin = app.person('admin')
})
afterAll(() => app.stop())

const createRoom = async (as: Actor, roomName: string): Promise<string> =>
  (await app.call('POST', '/rooms', as, { roomName })).data._id

test('a room is created, renamed by PATCH and PUT, and listed with its boards', async () => {
  const gita = app.person()
  const made = await app.call('POST', '/rooms', gita, { roomName: '  Living room ' })
  expect(made).toMatchObject({
    statusCode: 201,
    data: { roomName: 'Living room', deviceCount: 0, onlineCount: 0, onCount: 0 }
  })
  const id = made.data._id
  expect((await app.call('PATCH', `/rooms/${id}`, gita, { roomName: 'Lounge' })).data.roomName).toBe('Lounge')
  expect(
    (await app.call('PUT', `/rooms/${id}`, gita, { roomName: 'Parlour', userId: gita.userId })).data.roomName
  ).toBe('Parlour')

  const { board } = await app.device(gita, { roomId: id })
  await app.device(gita, { roomId: id, isOnline: false })
  board.state = [true, true, false, false]
  board.report({})
  const list = await app.call('GET', '/rooms', gita)
  expect(list.data.rooms).toEqual(list['rooms'])
  expect(list.data).toMatchObject({ total: 1, page: 1, totalPages: 1 })
  expect(list.data.rooms[0]).toMatchObject({ _id: id, roomName: 'Parlour', deviceCount: 2, onlineCount: 1, onCount: 2 })
})

test.each([[''], ['   '], [undefined]])('a room called %j is refused in plain words', async (roomName) => {
  const answer = await app.call('POST', '/rooms', sita, { roomName })
  expect(answer).toMatchObject({ statusCode: 400, code: 'VALIDATION' })
  expect(answer.errors?.[0]?.path).toBe('roomName')
})
test.each([[{ roomName: '  ' }], [{ roomName: null }], [{}], [undefined]])(
  'a missing name, as in %j, is answered with the specified sentence',
  async (body) => {
    expect((await app.call('POST', '/rooms', sita, body)).message).toBe('Room name is required')
  }
)

describe('records of others', () => {
  test('a room of another user is answered exactly like a missing one, and stays unchanged', async () => {
    const id = await createRoom(ram, "Ram's study")
    for (const [method, body] of [
      ['PATCH', { roomName: 'x' }],
      ['PUT', { roomName: 'x' }],
      ['DELETE', undefined]
    ] as const) {
      const [theirs, none] = await Promise.all([
        app.call(method, `/rooms/${id}`, sita, body),
        app.call(method, `/rooms/${nobody}`, sita, body)
      ])
      expect({ ...theirs, requestId: '' }).toEqual({ ...none, requestId: '' })
      expect(theirs.statusCode).toBe(404)
    }
    expect(
      (await app.call('GET', '/rooms', ram)).data.rooms.map((room: { roomName: string }) => room.roomName)
    ).toContain("Ram's study")
  })
  test("rooms?userId= of another user is not found, one's own is", async () => {
    expect((await app.call('GET', `/rooms?userId=${ram.userId}`, sita)).statusCode).toBe(404)
    expect((await app.call('GET', `/rooms?userId=${sita.userId}`, sita)).statusCode).toBe(200)
  })
  test('a user cannot create a room for another user, nor give one away', async () => {
    expect((await app.call('POST', '/rooms', sita, { roomName: 'x', userId: ram.userId })).statusCode).toBe(404)
    const id = await createRoom(sita, 'Mine')
    expect((await app.call('PATCH', `/rooms/${id}`, sita, { roomName: 'x', userId: ram.userId })).statusCode).toBe(404)
  })
  test('boards cannot be moved into the room of another user', async () => {
    const mine = await createRoom(sita, 'Goes')
    const theirs = await createRoom(ram, 'Not yours')
    expect((await app.call('DELETE', `/rooms/${mine}?moveTo=${theirs}`, sita)).statusCode).toBe(404)
    expect((await app.call('DELETE', `/rooms/${mine}?moveTo=${mine}`, sita)).statusCode).toBe(400)
    expect((await app.call('GET', '/rooms', sita)).data.rooms.map(({ _id }: { _id: string }) => _id)).toContain(mine)
  })
  test('read-only fields are refused by name', async () => {
    const answer = await app.call('POST', '/rooms', sita, { roomName: 'x', deviceCount: 7 })
    expect(answer).toMatchObject({ statusCode: 400, errors: [{ path: 'deviceCount' }] })
  })
})

test('a board is put into a room by its id; a name beside it is ignored, and alone is refused', async () => {
  const hall = await createRoom(ram, 'Hall')
  const { id } = await app.device(ram)
  const move = (body: object) => app.call('PATCH', `/devices/${id}`, ram, body)
  expect(await move({ setRoomName: 'Hall' })).toMatchObject({ statusCode: 400, errors: [{ path: 'setRoomName' }] })
  const moved = await move({ setRoom: hall, setRoomName: 'Elsewhere' })
  expect(moved.data.setRoom).toEqual({ _id: hall, roomName: 'Hall' })
})

test('screens that show a board are told the new name of its room, and that it has none', async () => {
  const study = await createRoom(ram, 'Study')
  const { mac } = await app.device(ram, { roomId: study })
  const told: unknown[] = []
  const off = app.events.on('device-edited', ({ deviceMac, update }) => void told.push([deviceMac, update]))
  await app.call('PATCH', `/rooms/${study}`, ram, { roomName: 'Library' })
  await app.call('DELETE', `/rooms/${study}`, ram)
  off()
  expect(told).toEqual([
    [mac, { setRoom: { _id: study, roomName: 'Library' } }],
    [mac, { setRoom: null }]
  ])
})

describe('a deleted room', () => {
  test('moves its boards to the named room, live and stored', async () => {
    const from = await createRoom(ram, 'From')
    const to = await createRoom(ram, 'To')
    const { id } = await app.device(ram, { roomId: from })
    expect((await app.call('DELETE', `/rooms/${from}?moveTo=${to}`, ram)).statusCode).toBe(200)
    expect((await app.call('GET', `/devices/${id}`, ram)).data.setRoom).toEqual({ _id: to, roomName: 'To' })
    const rooms = (await app.call('GET', '/rooms', ram)).data.rooms
    expect(rooms.find(({ _id }: { _id: string }) => _id === to)).toMatchObject({ deviceCount: 1, onlineCount: 1 })
    expect(rooms.some(({ _id }: { _id: string }) => _id === from)).toBe(false)
  })
  test('deleted at once with the named room leaves its boards in no missing room', async () => {
    const [from, to] = [await createRoom(ram, 'From'), await createRoom(ram, 'To')]
    const { id } = await app.device(ram, { roomId: from })
    const answers = await Promise.all([
      app.call('DELETE', `/rooms/${from}?moveTo=${to}`, ram),
      app.call('DELETE', `/rooms/${to}?moveTo=${from}`, ram)
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404])
    const { setRoom } = (await app.call('GET', `/devices/${id}`, ram)).data
    expect([from, to]).toContain(setRoom._id)
    const left = (await app.call('GET', '/rooms', ram)).data.rooms.find(
      ({ _id }: { _id: string }) => _id === setRoom._id
    )
    expect(left).toMatchObject({ deviceCount: 1 })
  })
  test('otherwise leaves them without a room', async () => {
    const room = await createRoom(ram, 'Short-lived')
    const { id } = await app.device(ram, { roomId: room })
    await app.call('DELETE', `/rooms/${room}`, ram)
    expect((await app.call('GET', `/devices/${id}`, ram)).data.setRoom).toBeNull()
  })
})

describe('staff', () => {
  test('see every room, or those of one user; an unknown user is not found', async () => {
    const all = (await app.call('GET', '/rooms', admin)).data
    expect(all.total).toBeGreaterThan((await app.call('GET', '/rooms', ram)).data.total)
    const his = (await app.call('GET', `/rooms?userId=${ram.userId}`, admin)).data
    expect(new Set(his.rooms.map(({ userId }: { userId: string }) => userId))).toEqual(new Set([ram.userId]))
    expect((await app.call('GET', `/rooms?userId=${nobody}`, admin)).statusCode).toBe(404)
  })
  test('learn whose room it is, so that two kitchens differ; owners get their rooms without it', async () => {
    await createRoom(ram, 'Kitchen of Ram')
    const path = `/rooms?userId=${ram.userId}`
    const owner = { _id: ram.userId, name: expect.any(String) as string }
    expect((await app.call('GET', path, admin)).data.rooms[0]).toMatchObject({ owner })
    expect((await app.call('GET', path, app.person('monitor', ['view devices']))).data.rooms[0].owner).toEqual(owner)
    expect((await app.call('GET', path, ram)).data.rooms[0]).not.toHaveProperty('owner')
  })
  test('search by name, page by page', async () => {
    await createRoom(sita, 'Zebra (1)')
    await createRoom(sita, 'Zebra (2)')
    const page = (await app.call('GET', '/rooms?search=zebra%20(&limit=1&page=2', admin)).data
    expect(page).toMatchObject({ total: 2, page: 2, limit: 1, totalPages: 2 })
    expect(page.rooms).toHaveLength(1)
  })
  test('an admin creates a room for a user; a monitor with the permission reads and never writes', async () => {
    const made = await app.call('POST', '/rooms', admin, { roomName: 'For Ram', userId: ram.userId })
    expect(made.data.userId).toBe(ram.userId)
    const monitor = app.person('monitor', ['view devices'])
    expect((await app.call('GET', '/rooms', monitor)).statusCode).toBe(200)
    expect((await app.call('PATCH', `/rooms/${made.data._id}`, monitor, { roomName: 'x' })).statusCode).toBe(403)
    expect((await app.call('GET', '/rooms', app.person('monitor', ['view logs']))).statusCode).toBe(403)
  })
})

test('calls without a login are refused', async () => {
  expect((await app.call('GET', '/rooms', null)).statusCode).toBe(401)
})

test("a deleted account's rooms are deleted", async () => {
  const leaving = app.person()
  await createRoom(leaving, 'Gone soon')
  await app.accounts.eraseHomeOf(leaving.userId)
  expect((await app.call('GET', '/rooms', leaving)).data.total).toBe(0)
})
