import { until } from '@batti/kit/testing'
import { randomBytes } from 'node:crypto'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccessTokens } from '../features/sessions/access-token.ts'
import { productPassword, startProduct, type Person, type TestProduct } from '../testing/product.ts'
import type { TestBoard } from '../testing/test-board.ts'

let product: TestProduct
let sita: Person
let admin: Person
let board: TestBoard & { mac: string }

beforeAll(async () => {
  product = await startProduct()
  sita = await product.person()
  admin = await product.person('admin')
  board = await product.board(sita)
})
afterAll(() => product.stop())

const logged = async (url: string): Promise<number> => {
  const { body } = await product.call('GET', '/unauthorized-logs?limit=500', { as: admin })
  const { logs } = body.data as unknown as { logs: { method: string; url: string; attempts: number }[] }
  return logs.filter((row) => row.method === 'SOCKET' && row.url === url).reduce((sum, row) => sum + row.attempts, 0)
}

/** A token of the same session that expires in a moment. */
function shortLived(person: Person, lifetimeMs: number): string {
  const { sid } = JSON.parse(Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
  const tokens = createAccessTokens({ secret: product.settings['JWT_SECRET'] ?? '', lifetimeMs })
  return tokens.issue({ userId: person.id, sessionId: sid, role: 'user' }, Date.now())
}

describe('the rooms of a connection', () => {
  it.each([
    ['is demoted to a user', { role: 'user' }],
    ['loses the permission', { permissions: ['view users'] }]
  ])('are left at once when staff %s', async (_what, change) => {
    const helper = 'role' in change ? await product.person('admin') : await product.monitor(['view devices'])
    const screen = await product.screen(helper)
    expect(await screen.send('join-user-device-room', board.mac)).toMatchObject({ ok: true })
    const path = 'role' in change ? `/users/${helper.id}` : `/monitors/${helper.id}`
    const whole = { name: 'Monitor', email: helper.email, phone: '+9779855500011', ...change }
    const [method, body] = 'role' in change ? (['PATCH', change] as const) : (['PUT', whole] as const)
    expect((await product.call(method, path, { as: admin, body })).status).toBe(200)
    expect(await screen.next('account-changed')).toEqual({
      role: 'role' in change ? 'user' : 'monitor',
      permissions: 'role' in change ? [] : ['view users']
    })
    await until(
      'the screen is no longer let in',
      async () => (await screen.send('join-user-device-room', board.mac))['code'] === 'NOT_FOUND'
    )
    const heard = screen.heard('switch-update').length
    const owner = await product.screen(sita)
    await owner.send('join-user-device-room', board.mac)
    board.press(0)
    await owner.next('switch-update')
    expect(screen.heard('switch-update')).toHaveLength(heard)
    expect(screen.socket.connected).toBe(true)
  })
})

it('of a person who changes their own name get the new name', async () => {
  const ram = await product.person()
  const theirs = await product.board(ram)
  const screen = await product.screen(ram)
  await screen.send('join-user-device-room', theirs.mac)
  await product.call('PATCH', '/user/update-account', { as: ram, body: { name: 'Ram Bahadur' } })
  await screen.next('account-changed')
  await screen.send('toggle-switch', { deviceMac: theirs.mac, switchIndex: 0, state: true })
  expect(await screen.next('switch-update')).toMatchObject({ cause: { by: 'user', userName: 'Ram Bahadur' } })
})

describe('a connection whose token has expired', () => {
  it('is asked for a new one, continues with it, and accepts none of another account', async () => {
    // A slow machine may not connect before the token has expired: then with a new one.
    const screen = await until('the screen is connected', () =>
      product.screen(sita, { token: shortLived(sita, 2000) }).catch(() => null)
    )
    const asked = (await screen.next('token-expired')) as { endsAt: number }
    expect(asked.endsAt - Date.now()).toBeGreaterThan(20_000)
    expect(await screen.send('renew-token', admin.token)).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' })
    expect(await screen.send('renew-token', 'nonsense')).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' })
    expect(await screen.send('renew-token', sita.token)).toEqual({ ok: true })
    expect(screen.socket.connected).toBe(true)
  })

  it('ends with the session of the token that it continues with', async () => {
    const screen = await product.screen(sita)
    const { body } = await product.call('POST', '/user/login', {
      body: { email: sita.email, password: productPassword }
    })
    const { accessToken: token } = body.data as { accessToken: string }
    expect(await screen.send('renew-token', token)).toEqual({ ok: true })
    await product.call('POST', '/user/logout', { as: { ...sita, token } })
    await until('the socket is closed', () => !screen.socket.connected)
  })

  it('accepts a few tokens at once and refuses many, which ends it when that continues', async () => {
    const screen = await product.screen(sita)
    const answers = await Promise.all(Array.from({ length: 60 }, () => screen.send('renew-token', sita.token)))
    expect(answers.slice(0, 10).every(({ ok }) => ok)).toBe(true)
    expect(answers.filter(({ code }) => code === 'TOO_MANY_REQUESTS').length).toBeGreaterThan(40)
    const hammering = setInterval(() => screen.socket.emit('renew-token', sita.token), 100)
    await until('the socket is closed', () => !screen.socket.connected)
    clearInterval(hammering)
  })
})

describe('connections', () => {
  it('with a refused token or origin are in the log as CONNECT', async () => {
    const before = await logged('CONNECT')
    await expect(product.screen(sita, { token: 'nonsense' })).rejects.toMatchObject({
      data: { code: 'UNAUTHENTICATED' }
    })
    await expect(product.screen(sita, { origin: 'http://evil.example' })).rejects.toThrow()
    await until('both refusals are in the log', async () => (await logged('CONNECT')) >= before + 2)
    expect(await logged('connect')).toBe(0)
  })

  it('that never authenticate are limited, and users still get in', async () => {
    const idle: WebSocket[] = []
    const open = () =>
      new Promise<'open' | 'refused'>((done) => {
        const socket = new WebSocket(`${product.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
        idle.push(socket)
        socket.addEventListener('open', () => done('open'))
        socket.addEventListener('error', () => done('refused'))
      })
    // However slowly they are opened: those of 15 s ago are closed.
    await until('a connection is refused', async () =>
      (await Promise.all(Array.from({ length: 260 }, open))).includes('refused')
    )
    for (const socket of idle) socket.close()
    await until('there is room for a screen again', async () => (await product.screen(sita).catch(() => null)) !== null)
  })

  it('of an account with too many screens at one api are refused for now', async () => {
    const own = await startProduct({ LIMIT_SOCKETS: '3' })
    const [one, another] = [await own.person(), await own.person()]
    const screens = [await own.screen(one), await own.screen(one), await own.screen(one)]
    await expect(own.screen(one)).rejects.toMatchObject({ data: { code: 'TOO_MANY_REQUESTS' } })
    await own.screen(another)
    screens[0]?.socket.disconnect()
    await until('there is room for a screen again', async () => (await own.screen(one).catch(() => null)) !== null)
    await own.stop()
  })

  it('with unknown events are not answered, and are ended when that continues', async () => {
    const screen = await product.screen(sita)
    // However slowly they are handled.
    await until('the socket is closed', () => {
      for (let index = 0; index < 1200; index += 1)
        screen.socket.emit(`unknown-${index}`, randomBytes(10).toString('hex'))
      return !screen.socket.connected
    })
  })
})

describe('a board', () => {
  const idOf = async (owner: Person): Promise<string> => {
    const { body } = await product.call('GET', '/devices', { as: owner })
    return (body.data as unknown as { devices: { _id: string }[] }).devices[0]?._id ?? ''
  }

  it('that is deleted is reported to every open screen with the reason, as are edits of its switches and schedules', async () => {
    const ram = await product.person()
    const theirs = await product.board(ram)
    const screen = await product.screen(ram)
    await screen.send('join-user-device-room', theirs.mac)
    const { body } = await product.call('GET', '/switches', { as: ram })
    const [first] = (body.data as unknown as { data: { _id: string; switchIndex: number }[] }).data
    await product.call('PATCH', `/switches/by-id/${first?._id}`, { as: ram, body: { switchName: 'Porch' } })
    const renamed = await screen.next('update-from-device', ({ update }: { update: object }) => 'switchNames' in update)
    expect(renamed['update']).toEqual({ switchNames: { [String(first?.switchIndex)]: 'Porch' } })
    await product.call('PATCH', `/switches/by-id/${first?._id}`, { as: ram, body: { isFavorite: true } })
    const edited = await screen.next(
      'update-from-device',
      ({ update }: { update: object }) => 'switchFavorites' in update
    )
    expect(edited['update']).toEqual({ switchFavorites: { [String(first?.switchIndex)]: true } })
    const deviceId = await idOf(ram)
    const evening = { startAction: 'on', startTime: '18:00', endAction: 'off', endTime: '22:00', repeatType: 'daily' }
    const made = await product.call('POST', '/schedules', {
      as: ram,
      body: { ...evening, deviceId, switchId: first?._id, switchIndex: first?.switchIndex }
    })
    expect(made.status).toBe(201)
    const scheduled = await screen.next(
      'update-from-device',
      ({ update }: { update: object }) => 'schedulesRev' in update
    )
    expect(scheduled['update']).toEqual({ schedulesRev: 1 })
    await product.call('DELETE', `/devices/${deviceId}`, { as: ram })
    expect(await screen.next('device-removed')).toEqual({ deviceMac: theirs.mac, reason: 'deleted' })
  })

  it('that gets another owner is reported to the screens of the old one', async () => {
    const ram = await product.person()
    const theirs = await product.board(ram)
    const screen = await product.screen(ram)
    await screen.send('join-user-device-room', theirs.mac)
    await product.call('PATCH', `/devices/${await idOf(ram)}`, { as: admin, body: { userId: sita.id } })
    expect(await screen.next('device-removed')).toEqual({ deviceMac: theirs.mac, reason: 'moved' })
  })

  it('that never connected has a snapshot of nulls', async () => {
    const credentials = await product.pair(sita)
    const screen = await product.screen(sita)
    const device = (await product.call('GET', `/devices/${credentials.deviceId}`, { as: sita })).body.data as {
      deviceMac: string
    }
    const answer = await screen.send('join-user-device-room', device.deviceMac)
    expect(answer['device']).toMatchObject({ bootId: null, seq: null, at: null })
  })

  it('that is online and has reported nothing yet has a snapshot of nulls too', async () => {
    const credentials = await product.pair(sita)
    const screen = await product.screen(sita)
    const { deviceMac } = (await product.call('GET', `/devices/${credentials.deviceId}`, { as: sita })).body.data as {
      deviceMac: string
    }
    await screen.send('join-user-device-room', deviceMac)
    const silent = await product.connect(credentials, { announce: false })
    silent.say('status', { online: true, bootId: silent.bootId, conn: 1 })
    await screen.next('update-from-device', ({ update }: { update: object }) => 'isOnline' in update)
    const answer = await screen.send('join-user-device-room', deviceMac)
    expect(answer['device']).toMatchObject({ isOnline: true, bootId: null, seq: null, at: null })
  })
})

describe('the end of the api', () => {
  it('looks like a lost connection, after which every client reconnects by itself', async () => {
    const own = await startProduct()
    const person = await own.person()
    const socket = io(own.url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth: { token: person.token }
    })
    await new Promise<void>((done) => socket.once('connect', () => done()))
    const reason = new Promise<string>((done) => socket.once('disconnect', (why) => done(why)))
    await own.stop()
    expect(await reason).toBe('transport close')
  })
})
