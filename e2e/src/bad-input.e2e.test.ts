import { clientEvents, deviceClientId, type ClientEvent } from '@batti/contracts'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { openSocket } from '@batti/client/socket'
import type { Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectAsBoard, type RawBoard } from './raw-board.ts'
import { call, pairBoard, signUp, type Signed } from './people.ts'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { until } from '@batti/kit/testing'
import { isReady } from './is-ready.ts'
import { createWall, type Wall } from './wall.ts'

/** A user with an account and a board of their own who attacks, and the neighbour they attack. */
let product: Product
let wall: Wall
let neighbour: Signed
let stranger: Signed
let theirs: { mac: string; deviceId: string }
let theirSwitchId = ''
let own: { deviceId: string; password: string }
const sockets: Socket[] = []

beforeAll(async () => {
  product = await startProduct({ empty: true })
  wall = createWall(product.wall)
  neighbour = await signUp(product, 'Neighbour', '9800000001')
  stranger = await signUp(product, 'Stranger', '9800000002')
  theirs = await pairBoard(product, wall, neighbour, { model: 'BTF', name: 'Theirs' })
  const list = await call<{ switches: { _id: string; deviceId: string }[] }>(product, '/switches', {
    method: 'GET',
    token: neighbour.token
  })
  theirSwitchId = list.body.data.switches.find(({ deviceId }) => deviceId === theirs.deviceId)?._id ?? ''
  own = await introduceBoard()
})

afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await product?.stop()
})

/** A board of the attacker that is only a program. */
async function introduceBoard(): Promise<{ deviceId: string; password: string }> {
  const claim = await call<{ userId: string }>(product, '/device-claims', { body: {}, token: stranger.token })
  const answer = await call<{ deviceId: string; mqttPassword: string }>(product, '/device-auth', {
    body: {
      userId: claim.body.data.userId,
      deviceMac: '0A:00:00:00:00:01',
      deviceCode: 'BT4',
      hwModel: 'batti-wall-4',
      osVersion: '1.4.0',
      nonce: randomBytes(12).toString('hex')
    }
  })
  return { deviceId: answer.body.data.deviceId, password: answer.body.data.mqttPassword }
}

async function open(token: unknown): Promise<Socket> {
  const socket = await openSocket(product.web, { token })
  sockets.push(socket)
  return socket
}

const heard = (socket: Socket, event: string): Promise<void> =>
  new Promise((resolve) => {
    socket.once(event, () => resolve())
  })

interface Answer {
  ok: boolean
  code?: string
  message?: string
}
const ask = async (socket: Socket, event: string, payload: unknown): Promise<Answer> =>
  (await socket.timeout(20_000).emitWithAck(event, payload)) as Answer

/** What the neighbour's board received since it came online. */
const commandsOfNeighbour = async (): Promise<unknown[]> =>
  (await wall.history(theirs.mac)).filter(
    (entry) => entry.kind === 'received' && JSON.stringify(entry.topic).includes('switch-update')
  )

const nobody = { id: '0123456789abcdef01234567', mac: '0E:00:00:00:00:99' }

describe('a stranger on the socket', () => {
  let socket: Socket
  beforeEach(async () => {
    socket = await open(stranger.token)
  })

  // Tokens and the staff's room belong to no neighbour: the api's own tests cover them.
  type TargetedEvent = Exclude<ClientEvent, 'renew-token' | 'join-staff-room'>
  const events = Object.keys(clientEvents).filter(
    (event): event is TargetedEvent => event !== 'renew-token' && event !== 'join-staff-room'
  )
  const payloads: Record<TargetedEvent, (target: { userId: string; mac: string; switchId: string }) => unknown> = {
    'join-user-room': ({ userId }) => userId,
    'join-user-device-room': ({ mac }) => mac,
    'toggle-switch': ({ mac }) => ({ deviceMac: mac, switchIndex: 0, state: true }),
    'set-fan-speed': ({ mac }) => ({ deviceMac: mac, switchIndex: 2, speed: 200 }),
    'toggle-all-switches': ({ mac }) => ({ deviceMac: mac, state: true }),
    toggleSwitch: ({ switchId }) => ({ switchId, state: true })
  }

  it.each(events)(
    'gets the same answer to %s for the neighbour’s records as for missing ones, and nothing changes',
    async (event) => {
      const target = { userId: neighbour.id, mac: theirs.mac, switchId: theirSwitchId }
      const answer = await ask(socket, event, payloads[event](target))
      const nothing = await ask(
        socket,
        event,
        payloads[event]({ userId: nobody.id, mac: nobody.mac, switchId: nobody.id })
      )
      expect(answer).toMatchObject({ ok: false, code: 'NOT_FOUND' })
      expect(answer).toEqual(nothing)
      expect(await commandsOfNeighbour()).toEqual([])
      expect((await wall.find(theirs.mac)).switch).toEqual([false, false, false, false])
    }
  )

  it.each(['lower', 'dashes', 'bare'])(
    'cannot join the neighbour’s room with another spelling of its MAC (%s)',
    async (how) => {
      const { mac } = theirs
      const spelt = how === 'lower' ? mac.toLowerCase() : mac.replaceAll(':', how === 'dashes' ? '-' : '')
      expect(await ask(socket, 'join-user-device-room', spelt)).toMatchObject({ ok: false, code: 'NOT_FOUND' })
    }
  )

  it('receives nothing of the neighbour’s board', async () => {
    const emitted: string[] = []
    socket.onAny((event: string) => emitted.push(event))
    await ask(socket, 'join-user-device-room', theirs.mac)
    await ask(socket, 'join-user-room', neighbour.id)
    const watcher = await open(neighbour.token)
    await ask(watcher, 'join-user-device-room', theirs.mac)
    const seen = heard(watcher, 'switch-update')
    await wall.press(theirs.mac, 1)
    await seen
    // After this round trip, everything sent before it has arrived.
    await ask(socket, 'join-user-room', stranger.id)
    expect(emitted).toEqual([])
    const quiet = heard(watcher, 'switch-update')
    await wall.press(theirs.mac, 1)
    await quiet
  })

  const wrong: unknown[] = [
    null,
    0,
    -1,
    1e308,
    true,
    '',
    'x'.repeat(5000),
    [],
    [[]],
    {},
    { deviceMac: null, switchIndex: null, state: null, speed: null, switchId: null },
    { deviceMac: 7, switchIndex: '0', state: 'true', speed: '12', switchId: 7 },
    { deviceMac: ['0A:00:00:00:00:01'], switchIndex: [0], state: [true], speed: [1], switchId: [] },
    { deviceMac: { $ne: null }, switchIndex: { $gt: 0 }, state: { $ne: 1 }, speed: {}, switchId: { $ne: null } },
    { deviceMac: nobody.mac, switchIndex: -1, state: true, speed: 256, switchId: '__proto__' },
    { deviceMac: nobody.mac, switchIndex: 1.5, state: 1, speed: -1, switchId: 'constructor' },
    { __proto__: { state: true }, constructor: { prototype: { ok: true } } }
  ]
  it.each(Object.keys(clientEvents))('gets an error when %s carries anything else than it should', async (event) => {
    for (const payload of wrong) {
      const answer = await ask(socket, event, payload)
      expect(answer.ok).toBe(false)
      expect(event === 'join-staff-room' ? ['FORBIDDEN'] : ['VALIDATION', 'NOT_FOUND']).toContain(answer.code)
    }
    expect(socket.connected).toBe(true)
  })

  it('causes no crash with missing, superfluous or binary arguments or acknowledgements', async () => {
    for (const event of Object.keys(clientEvents)) {
      socket.emit(event)
      socket.emit(event, Buffer.from([0, 255]), Buffer.alloc(100))
      socket.emit(event, {}, 'not a function', 7)
    }
    socket.emit('no-such-event', { a: 1 })
    socket.emit('constructor', 1)
    expect((await ask(socket, 'join-user-room', stranger.id)).ok).toBe(true)
  })

  it('is disconnected for a message over 16 KiB', async () => {
    const closed = heard(socket, 'disconnect')
    socket.emit('toggle-switch', { deviceMac: 'x'.repeat(17 * 1024) })
    await closed
    expect(socket.connected).toBe(false)
  })

  it.each([
    ['no token', undefined],
    ['a token of the wrong type', { $ne: null }],
    ['a token that was tampered with', 'a.b.c']
  ])('is refused with %s', async (_what, token) => {
    await expect(open(token)).rejects.toMatchObject({ data: { code: 'UNAUTHENTICATED' } })
  })
})

describe('a stranger on MQTT, with a board of their own', () => {
  let board: RawBoard
  beforeEach(async () => {
    board = await connectAsBoard(product, own)
  })
  afterEach(() => board.leave())

  const topics = (): string[] => [
    `d/${theirs.deviceId}/up/update-from-device`,
    `d/${theirs.deviceId}/up/status`,
    `d/${theirs.deviceId}/down/switch-update`,
    `d/${own.deviceId}/down/switch-update`,
    `d/${own.deviceId}/up/other`,
    `d/${own.deviceId}/up/update-from-device/more`,
    `$SYS/${own.deviceId}/new/clients`,
    'd',
    '/'
  ]
  it('is disconnected for a publish to any topic that is not its own, and none is delivered', async () => {
    const before = await wall.find(theirs.mac)
    await board.leave()
    for (const topic of topics()) {
      const attempt = await connectAsBoard(product, own)
      attempt.publish(topic, JSON.stringify({ id: 'x', set: [{ index: 0, on: true }], expiresAt: Date.now() + 4000 }))
      await attempt.closed
    }
    const after = await wall.find(theirs.mac)
    expect(after.switch).toEqual(before.switch)
    expect(after.conn).toBe(before.conn)
    expect(await commandsOfNeighbour()).toEqual([])
  })

  it.each(['#', '+/+/+/+', '$SYS/#', 'd/+/down/+', 'd/+/up/+', 'theirs'])(
    'is disconnected for subscribing to %s',
    async (filter) => {
      board.subscribe(filter === 'theirs' ? `d/${theirs.deviceId}/down/+` : filter)
      expect(await board.closed).toBeDefined()
    }
  )

  it.each([
    ['the neighbour’s client id', () => ({ clientId: deviceClientId(theirs.deviceId) })],
    ['the neighbour’s name', () => ({ clientId: deviceClientId(theirs.deviceId), username: theirs.deviceId })],
    ['a wrong password', () => ({ password: 'wrong' })],
    ['the api’s name', () => ({ clientId: 'api-0000', username: 'api' })],
    ['a client id of nothing', () => ({ clientId: '' })],
    ['a wildcard for a client id', () => ({ clientId: 'dev-#' })]
  ])('is refused with %s, and the neighbour’s board stays connected', async (_what, change) => {
    const before = (await wall.find(theirs.mac)).conn
    await expect(connectAsBoard(product, own, change())).rejects.toThrow(/refused|Not authorized|closed|Identifier/i)
    expect(await wall.find(theirs.mac)).toMatchObject({ phase: 'online', conn: before })
  })

  const report = (rest: object): object => ({
    bootId: 'bad-input-boot',
    seq: 1,
    switch: [true, false, false, false],
    speed: [0, 0, 0, 0],
    cause: 'boot',
    ...rest
  })
  it.each([
    ['too few outlets', report({ seq: 11, switch: [true] })],
    ['words for switches', report({ seq: 12, switch: ['on', 'off', 'on', 'off'] })],
    ['a speed beyond 255', report({ seq: 13, speed: [0, 0, 0, 256] })],
    ['a cause that does not exist', report({ seq: 14, cause: 'magic' })]
  ])('is told that a report with %s is rejected', async (_what, payload) => {
    board.subscribe(`d/${own.deviceId}/down/+`)
    const { seq } = payload as { seq: number }
    const emitted = board.next((topic, message) => topic.endsWith('/ack') && (message as { seq: number }).seq === seq)
    board.publish(`d/${own.deviceId}/up/update-from-device`, JSON.stringify(payload))
    expect(await emitted).toMatchObject({ seq, rejected: expect.any(String) })
  })

  it("is identified by its connection alone: a forged identity in a report changes nobody's board", async () => {
    board.subscribe(`d/${own.deviceId}/down/+`)
    const emitted = board.next((topic, message) => topic.endsWith('/ack') && (message as { seq: number }).seq === 21)
    const forged = { deviceMac: theirs.mac, deviceId: theirs.deviceId, userId: neighbour.id, isOnline: false }
    board.publish(`d/${own.deviceId}/up/update-from-device`, JSON.stringify(report({ seq: 21, ...forged })))
    await emitted
    const { body } = await call<{ isOnline: boolean; switch: boolean[] }>(product, `/devices/${theirs.deviceId}`, {
      method: 'GET',
      token: neighbour.token
    })
    expect(body.data).toMatchObject({ isOnline: true, switch: [false, false, false, false] })
  })

  it('stays connected after a few messages that are not JSON, and the product keeps working', async () => {
    board.subscribe(`d/${own.deviceId}/down/+`)
    for (const text of ['', '{', 'null', '[]', '"x"', '{"bootId":', '\u0000\u0001', '[['.repeat(2000)]) {
      board.publish(`d/${own.deviceId}/up/update-from-device`, text)
      board.publish(`d/${own.deviceId}/up/status`, text)
    }
    const emitted = board.next((topic, message) => topic.endsWith('/ack') && (message as { seq: number }).seq === 31)
    board.publish(`d/${own.deviceId}/up/update-from-device`, JSON.stringify(report({ seq: 31 })))
    expect(await emitted).toMatchObject({ seq: 31 })
  })

  it('is disconnected for a packet over 16 KiB', async () => {
    board.publish(`d/${own.deviceId}/up/update-from-device`, 'x'.repeat(17 * 1024))
    expect(await board.closed).toBeDefined()
  })

  it('is disconnected for anything that is not MQTT', async () => {
    const { host, port, caPem } = product.broker
    const socket = connectTls({ host, port, ca: caPem })
    await once(socket, 'secureConnect')
    // The end may be a reset, for which `once` would throw.
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('GET / HTTP/1.1\r\nHost: batti\r\n\r\n')
    socket.resume()
    await closed
    expect(socket.destroyed).toBe(true)
  })
})

describe('a stranger on HTTP', () => {
  it.each([
    ['malformed JSON', '/user/login', { body: '{"email":' }, 400],
    ['JSON that is no object', '/user/login', { body: '[1,2]' }, 400],
    ['operators for values', '/user/login', { body: { email: { $ne: null }, password: { $ne: null } } }, 400],
    ['more than is read', '/user/login', { body: { email: 'x'.repeat(400_000), password: 'secret' } }, 413],
    ['a call that does not exist', '/no/such/call', { body: {} }, 404]
  ])('gets JSON when it sends %s', async (_what, path, input, status) => {
    const answer = await call(product, path, input)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false, code: expect.any(String) as string })
    expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|at .*\.ts/)
  })

  it('does not learn from any call that the neighbour’s records exist', async () => {
    const { token } = stranger
    const paths: [method: string, path: (ids: { device: string; switch: string }) => string, body?: object][] = [
      ['GET', ({ device }) => `/devices/${device}`],
      ['PATCH', ({ device }) => `/devices/${device}`, { setName: 'Mine' }],
      ['DELETE', ({ device }) => `/devices/${device}`],
      ['GET', (ids) => `/switches/by-id/${ids.switch}`],
      ['PATCH', (ids) => `/switches/by-id/${ids.switch}`, { status: true }],
      ['GET', ({ device }) => `/switches/by-device/${device}/0`]
    ]
    for (const [method, path, body] of paths) {
      const options = { method, token, ...(body === undefined ? {} : { body }) }
      const [real, none] = await Promise.all([
        call(product, path({ device: theirs.deviceId, switch: theirSwitchId }), options),
        call(product, path({ device: nobody.id, switch: nobody.id }), options)
      ])
      expect([method, real.status, real.body.code, real.body.message]).toEqual([
        method,
        404,
        none.body.code,
        none.body.message
      ])
    }
    expect((await wall.find(theirs.mac)).phase).toBe('online')
  })
})

describe('after all of that', () => {
  it('every part is still the same process', async () => {
    for (const pid of Object.values(product.pids)) expect(() => process.kill(pid, 0)).not.toThrow()
    expect(product.said()).not.toMatch(/died/)
    await until('ready', () => isReady(product.web))
  })

  it('the refused attempts are in the unauthorized log of the admin', async () => {
    const admin = accountOf(product, 'admin')
    const login = await call<{ accessToken: string }>(product, '/user/login', {
      body: { email: admin.email, password: admin.password }
    })
    const methods = await until('rows of sockets and MQTT', async () => {
      const answer = await call<{ logs: { method: string }[] }>(product, '/unauthorized-logs?limit=500', {
        method: 'GET',
        token: login.body.data.accessToken
      })
      const found = new Set(answer.body.data.logs.map(({ method }) => method))
      return found.has('SOCKET') && found.has('MQTT') && found
    })
    expect([...methods]).toEqual(expect.arrayContaining(['SOCKET', 'MQTT']))
  })
})
