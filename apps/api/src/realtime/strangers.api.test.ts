import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { clientEvents } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import mongoose from 'mongoose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Screen } from '../testing/open-screen.ts'
import { startProduct, type Person, type TestProduct } from '../testing/product.ts'
import type { TestBoard } from '../testing/test-board.ts'

let product: TestProduct
let sita: Person
let stranger: Person
let board: TestBoard & { mac: string }
let screen: Screen
let switchId: string

beforeAll(async () => {
  product = await startProduct({ LIMIT_COMMANDS: '20', PUBLIC_URL: 'http://batti.test' })
  sita = await product.person()
  stranger = await product.person()
  board = await product.board(sita)
  screen = await product.screen(stranger)
  const { body } = await product.call('GET', '/switches', { as: sita })
  switchId = (body.data as unknown as { data: { _id: string }[] }).data[0]?._id ?? ''
})
afterAll(() => product.stop())

const noSuch = { mac: '34:98:7A:FF:FF:FF', id: '65a0000000000000000000ff' }
const refusalOf = async (event: keyof typeof clientEvents, payload: unknown) => {
  const { ok, code, message } = await screen.send(event, payload)
  return { ok, code, message }
}

describe('a foreign host name', () => {
  /** A page of an attacker whose host name leads here, so that the browser takes it for our own. */
  const asked = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const call = request(`${product.url}${path}`, { headers }, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
      })
      call.on('upgrade', (answer, socket) => {
        socket.destroy()
        resolve({ status: answer.statusCode ?? 0, body: '' })
      })
      call.on('error', reject)
      call.end()
    })
  const upgrade = (host: string, origin: string) =>
    asked('/socket.io/?EIO=4&transport=websocket', {
      host,
      origin,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA=='
    })

  it('gets no answer, page or socket, while health checks still do', async () => {
    for (const path of ['/api/v1/device-types', '/', '/dev/outbox', '/docs']) {
      const { status, body } = await asked(path, { host: 'evil.example' })
      expect({ path, status }).toEqual({ path, status: 403 })
      expect(JSON.parse(body)).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('ALLOWED_HOSTS') })
    }
    expect((await asked('/healthz', { host: 'evil.example' })).status).toBe(200)
    expect((await asked('/api/v1/device-types', { host: 'localhost:1' })).status).toBe(401)
    expect((await upgrade('evil.example', 'http://evil.example')).status).not.toBe(101)
    expect((await upgrade('localhost', 'http://localhost')).status).toBe(101)
  })

  it('of a proxy that names the server itself does not keep pages of PUBLIC_URL from their socket', async () => {
    expect((await upgrade('127.0.0.1', 'http://batti.test')).status).toBe(101)
    expect((await upgrade('127.0.0.1', 'https://batti.test')).status).not.toBe(101)
    expect((await upgrade('127.0.0.1', 'null')).status).not.toBe(101)
  })
})

describe("another user's board on the socket", () => {
  it.each([
    ['join-user-device-room', () => board.mac, () => noSuch.mac],
    [
      'toggle-switch',
      () => ({ deviceMac: board.mac, switchIndex: 0, state: true }),
      () => ({ deviceMac: noSuch.mac, switchIndex: 0, state: true })
    ],
    [
      'set-fan-speed',
      () => ({ deviceMac: board.mac, switchIndex: 0, speed: 9 }),
      () => ({ deviceMac: noSuch.mac, switchIndex: 0, speed: 9 })
    ],
    [
      'toggle-all-switches',
      () => ({ deviceMac: board.mac, state: true }),
      () => ({ deviceMac: noSuch.mac, state: true })
    ],
    ['toggleSwitch', () => ({ switchId, state: true }), () => ({ switchId: noSuch.id, state: true })]
  ] as const)('%s answers exactly as for a missing board, and does nothing', async (event, theirs, nobodys) => {
    const commands = () => board.heard.filter(({ name }) => name === 'switch-update').length
    const before = commands()
    const foreign = await refusalOf(event, theirs())
    expect(foreign).toMatchObject({ ok: false, code: 'NOT_FOUND' })
    expect(foreign).toEqual(await refusalOf(event, nobodys()))
    expect(commands()).toBe(before)
  })

  it('a user room of another account cannot be joined', async () => {
    expect(await refusalOf('join-user-room', sita.id)).toMatchObject({ ok: false, code: 'NOT_FOUND' })
    expect(await refusalOf('join-user-room', [stranger.id])).toMatchObject({ ok: false, code: 'VALIDATION' })
  })

  it('is not received: neither its switches, nor its presence, nor its owner', async () => {
    const owner = await product.screen(sita)
    await owner.send('join-user-device-room', board.mac)
    board.press(0)
    await owner.next('switch-update')
    await product.claim(sita)
    for (const event of ['switch-update', 'update-from-device', 'claim-progress', 'notify-user'] as const) {
      expect(screen.heard(event)).toEqual([])
    }
  })

  it('switch ids that somebody tries while one is looked up are looked up together', async () => {
    const trying = await product.screen(stranger)
    const firstDigits = '65a0000000000000000001'
    const tryOut = (n: number) => trying.send('toggleSwitch', { switchId: `${firstDigits}${10 + n}`, state: true })
    const { exec } = mongoose.Query.prototype
    const lookedUp = Promise.withResolvers<void>()
    let reads = 0
    const spy = vi.spyOn(mongoose.Query.prototype, 'exec').mockImplementation(async function (
      this: mongoose.Query<unknown, unknown>
    ) {
      // The api reads other records meanwhile.
      if (JSON.stringify(this.getFilter()).includes(firstDigits)) {
        reads += 1
        await lookedUp.promise
      }
      return exec.call(this)
    })
    onTestFinished(() => spy.mockRestore())
    const first = tryOut(0)
    await until('it is looked up', () => reads > 0)
    const others = Array.from({ length: 39 }, (_, n) => tryOut(1 + n))
    // Answered without a read, after the others on the same connection.
    expect(await trying.send('toggleSwitch', {})).toMatchObject({ ok: false })
    lookedUp.resolve()
    const answers = await Promise.all([first, ...others])
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['NOT_FOUND']))
    expect(reads).toBe(2)
    trying.socket.disconnect()
  })

  it('is in the unauthorized log with method SOCKET', async () => {
    const admin = await product.person('admin')
    await until('the refusal is in the log', async () => {
      const { body } = await product.call('GET', '/unauthorized-logs', { as: admin })
      const { logs } = body.data as unknown as { logs: { method: string; url: string }[] }
      return logs.some(({ method, url }) => method === 'SOCKET' && url.includes('toggle-switch'))
    })
  })
})

describe("another user's board over HTTP", () => {
  it('is answered like a missing one, by every call, and stays unchanged', async () => {
    const id = board.credentials.deviceId
    const before = (await product.call('GET', `/devices/${id}`, { as: sita })).body.data
    const paths = (device: string, each: string): [string, string, object?][] => [
      ['GET', `/devices/${device}`],
      ['PATCH', `/devices/${device}`, { setName: 'mine' }],
      ['DELETE', `/devices/${device}`],
      ['GET', `/switches/by-id/${each}`],
      ['PATCH', `/switches/by-id/${each}`, { status: true }],
      ['PATCH', `/switches/by-id/${each}`, { switchName: 'mine' }],
      ['GET', `/switches/by-device/${device}/0`]
    ]
    const theirs = paths(id, switchId)
    const nobodys = paths(noSuch.id, noSuch.id)
    for (const [index, [method, path, body]] of theirs.entries()) {
      const answer = await product.call(method, path, { as: stranger, body })
      const other = await product.call(method, nobodys[index]?.[1] ?? '', { as: stranger, body })
      expect(answer.status, `${method} ${path}`).toBe(404)
      expect(answer.body.message).toBe(other.body.message)
    }
    expect((await product.call('GET', '/devices', { as: stranger })).body.data).toMatchObject({ devices: [], total: 0 })
    expect((await product.call('GET', `/devices/${id}`, { as: sita })).body.data).toEqual(before)
  })

  it.each(['deviceMac', 'isOnline', 'switch', 'createdBy', 'osVersion', 'serverUrl', 'mqttPort', '_id'])(
    "of one's own board, %s cannot be set by a user, and is named",
    async (field) => {
      const answer = await product.call('PATCH', `/devices/${board.credentials.deviceId}`, {
        as: sita,
        body: { [field]: 'x' }
      })
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION', errors: [{ path: field }] } })
    }
  )
})

describe('the socket server', () => {
  it.each([
    ['no token', ''],
    ['garbage', 'x.y.z']
  ])('%s is refused with the reason', async (_what, token) => {
    await expect(product.screen(stranger, { token })).rejects.toMatchObject({ data: { code: 'UNAUTHENTICATED' } })
  })
  it('a page of another origin is refused', async () => {
    await expect(product.screen(stranger, { origin: 'https://evil.example' })).rejects.toThrow()
  })
  it('a message over 16 KiB ends the connection', async () => {
    const loud = await product.screen(stranger)
    loud.socket.emit('toggle-switch', { deviceMac: 'x'.repeat(17 * 1024) })
    await until('the socket is closed', () => !loud.socket.connected)
  })
  it('a flood of commands is answered with TOO_MANY_REQUESTS, and ends the connection when it continues', async () => {
    const loud = await product.screen(sita)
    const tap = () => loud.send('toggle-switch', { deviceMac: board.mac, switchIndex: 0, state: true })
    // However slowly they are handled.
    await until('a command is refused', async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, tap))
      return answers.some(({ code }) => code === 'TOO_MANY_REQUESTS')
    })
    const hammering = setInterval(() => {
      for (let each = 0; each < 40; each++)
        loud.socket.emit('toggle-switch', { deviceMac: board.mac, switchIndex: 0, state: true })
    }, 100)
    await until('the socket is closed', () => !loud.socket.connected)
    clearInterval(hammering)
  })
})

describe('packets that no client of ours sends', () => {
  /** A connection with hand-written socket.io packets; everything the server sent, and whether it closed it. */
  const rawConnection = async () => {
    const line = new WebSocket(`${product.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    const heard: string[] = []
    line.addEventListener('message', ({ data }) => {
      heard.push(String(data))
      if (data === '2') line.send('3')
    })
    await until('the server has spoken', () => heard.length > 0)
    return {
      write: (...packets: string[]) => packets.forEach((packet) => line.send(packet)),
      joined: () => heard.filter((packet) => packet.startsWith('40')).length,
      heard,
      isEnded: () => line.readyState === WebSocket.CLOSED
    }
  }
  const join = () => `40${JSON.stringify({ token: sita.token })}`

  it('a connection that requests many namespaces is ended', async () => {
    const loud = await rawConnection()
    loud.write(join())
    await until('the log-in is answered', () => loud.joined() === 1)
    loud.write(...Array.from({ length: 100 }, (_, each) => `40/nowhere-${each},{}`))
    await until('the connection is ended', () => loud.isEnded())
    expect(loud.heard.length).toBeLessThan(50)
  })
  it('a second log-in on a connection is not a second socket with limits of its own', async () => {
    const twice = await rawConnection()
    twice.write(join(), join())
    await until('the connection is ended', () => twice.isEnded())
    expect(twice.joined()).toBeLessThanOrEqual(1)
  })
  it('a log-in that failed may be tried again on the same connection', async () => {
    const late = await rawConnection()
    late.write('40{"token":"x.y.z"}')
    await until('the log-in is refused', () => late.heard.some((packet) => packet.startsWith('44')))
    late.write(join())
    await until('the log-in is answered', () => late.joined() === 1)
    expect(late.isEnded()).toBe(false)
  })
  it('a client that logs off the socket does not keep the connection, which nothing would end any more', async () => {
    const gone = await rawConnection()
    gone.write(join())
    await until('the log-in is answered', () => gone.joined() === 1)
    gone.write('41')
    await until('the connection is ended', () => gone.isEnded())
  })
})

describe('a monitor', () => {
  it('with view devices sees a board and may not change it', async () => {
    const helper = await product.screen(await product.monitor(['view devices']))
    expect(await helper.send('join-user-device-room', board.mac)).toMatchObject({ ok: true })
    expect(await helper.send('toggle-switch', { deviceMac: board.mac, switchIndex: 0, state: true })).toMatchObject({
      ok: false,
      code: 'FORBIDDEN'
    })
  })
  it('with control switches only toggles, by name, and receives nothing', async () => {
    const helper = await product.screen(await product.monitor(['control switches']))
    const owner = await product.screen(sita)
    await owner.send('join-user-device-room', board.mac)
    expect(await helper.send('join-user-device-room', board.mac)).toMatchObject({ ok: false, code: 'NOT_FOUND' })
    const ack = await helper.send('toggle-switch', { deviceMac: board.mac, switchIndex: 1, state: true })
    expect(ack).toMatchObject({ ok: true })
    const update = await owner.next('switch-update', ({ commandId }: { commandId: string }) => commandId === ack['id'])
    expect(update).toMatchObject({ cause: { by: 'user', from: 'monitor', userName: 'Monitor' } })
  })
  it('without a permission sees nothing', async () => {
    const monitor = await product.monitor([])
    expect(await (await product.screen(monitor)).send('join-user-device-room', board.mac)).toMatchObject({
      ok: false,
      code: 'NOT_FOUND'
    })
    expect((await product.call('GET', '/devices', { as: monitor })).status).toBe(403)
  })
  it('never reads a Wi-Fi password; its owner does', async () => {
    const id = board.credentials.deviceId
    await product.call('PATCH', `/devices/${id}`, {
      as: sita,
      body: { wifiSSID: 'Himal-2G', wifiPassword: 'momo momo momo' }
    })
    expect((await product.call('GET', `/devices/${id}`, { as: sita })).body.data).toMatchObject({
      wifiPassword: 'momo momo momo'
    })
    for (const staff of [await product.monitor(['view devices']), await product.person('admin')]) {
      const { body } = await product.call('GET', `/devices/${id}`, { as: staff })
      expect(body.data).not.toHaveProperty('wifiPassword')
      expect(JSON.stringify(body)).not.toContain('momo')
    }
  })
})

describe('commands over HTTP', () => {
  it('are limited per account, and beyond that reach no board', async () => {
    // So low that no machine is slow enough to stay below it.
    const slow = await startProduct({ LIMIT_COMMANDS: '1' })
    const ram = await slow.person()
    const { heard } = await slow.board(ram)
    const { body } = await slow.call('GET', '/switches', { as: ram })
    const [first] = (body.data as unknown as { data: { _id: string }[] }).data
    const press = () => slow.call('PATCH', `/switches/by-id/${first?._id}`, { as: ram, body: { status: true } })
    const answers = await Promise.all(Array.from({ length: 60 }, press))
    await slow.stop()
    const count = (wanted: number): number => answers.filter(({ status }) => status === wanted).length
    expect(count(200)).toBeGreaterThanOrEqual(2)
    expect(count(429)).toBeGreaterThan(0)
    expect(count(200) + count(429)).toBe(60)
    expect(heard.filter(({ name }) => name === 'switch-update')).toHaveLength(count(200))
  })
})
