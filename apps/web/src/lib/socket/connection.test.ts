// @vitest-environment node
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { Server } from 'socket.io'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock, type Timers } from '@batti/kit/clock'
import { createFakeClock } from '@batti/kit/testing'
import { createConnection } from './connection.ts'
import { createOpenSocket, type LiveSocket, type OpenSocket } from './live-socket.ts'

const mac = '34:98:7A:0C:51:E2'
const snapshot = (seq: number) => ({
  deviceMac: mac,
  isOnline: true,
  switch: [true],
  speed: [0],
  fanIndexes: [],
  socketIndexes: [],
  bootId: 'boot0001',
  seq,
  at: 1
})
/** No such code is in the contracts. */
const locked = { ok: false, code: 'LOCKED', message: 'The pump is locked.' }
const answers: Partial<Record<string, object>> = {
  'toggle-switch': { ok: true, id: 'c1', expiresAt: 1 },
  'toggle-all-switches': locked
}
const closing: (() => Promise<void> | void)[] = []
// Sockets are real, waiting is not: no limit runs out because a machine is slow.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  vi.useRealTimers()
})

/** A real socket.io server; `accept` decides on tokens, and others are refused with `code`. */
async function house(accept: (token: unknown) => boolean = () => true, code = 'UNAUTHENTICATED') {
  const heard: [event: string, payload: unknown][] = []
  let connections = 0
  let isDeaf = false
  let isAway = false
  let refusal: object | null = null
  const http = createServer()
  const server = new Server(http, {
    transports: ['websocket'],
    allowRequest: (_, decide) => decide(null, !isAway)
  })
  server.use((socket, next) => {
    if (accept(socket.handshake.auth['token'])) return next()
    next(Object.assign(new Error('Please log in.'), { data: { code, message: 'Please log in.' } }))
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.onAny((event: string, payload: unknown, ack?: (answer: unknown) => void) => {
      heard.push([event, payload])
      if (isDeaf) return
      if (event === 'join-user-device-room') {
        const known = payload === mac ? { ok: true, device: snapshot(heard.length) } : null
        ack?.(refusal ?? known ?? { ok: false, code: 'NOT_FOUND', message: 'No such board.' })
      } else ack?.(answers[event] ?? { ok: true })
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return {
    heard,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    server,
    connections: () => connections,
    /** Whether events are left unanswered, as on a half-open connection. */
    beDeaf: (deaf: boolean) => void (isDeaf = deaf),
    /** With what every board is refused; null when it is answered. */
    refuse: (answer: object | null) => void (refusal = answer),
    /** Ends every connection and takes no other. Keeps the port, which another process could take meanwhile. */
    stop: () => {
      isAway = true
      for (const { conn } of server.sockets.sockets.values()) conn.close(true)
    },
    start: () => void (isAway = false)
  }
}

/** The longest wait of a tab between two attempts to connect. */
const attemptMs = 50

function tab(
  url: string,
  options: { token?: () => string | null; renew?: () => Promise<boolean>; clock?: Timers } = {}
) {
  const sockets: LiveSocket[] = []
  const connection = createConnection({
    clock: options.clock ?? systemClock,
    token: async () => (options.token === undefined ? 'good' : options.token()),
    renew: options.renew ?? (async () => true),
    open: async (token) => {
      const socket: LiveSocket = io(url, {
        autoConnect: false,
        transports: ['websocket'],
        reconnectionAttempts: 5,
        reconnectionDelay: attemptMs,
        reconnectionDelayMax: attemptMs,
        auth: (send) => void token().then((value) => send({ token: value }))
      })
      sockets.push(socket)
      return socket
    }
  })
  closing.push(() => connection.stop())
  const snapshots: (number | null)[] = []
  connection.onSnapshot(({ seq }) => snapshots.push(seq))
  return {
    connection,
    sockets,
    snapshots,
    is: async (status: string) => {
      await expect.poll(() => connection.getState()).toBe(status)
    },
    /** Lets each attempt follow the one that failed, until none is left. */
    spendAttempts: async () => {
      await expect
        .poll(() => {
          vi.advanceTimersByTime(attemptMs)
          return connection.getState()
        })
        .toBe('lost')
    }
  }
}

test('joins the user’s room, and each board once however many cards show it', async () => {
  const { heard, url } = await house()
  const { connection, sockets, snapshots, is } = tab(url)
  await connection.start('user-1')
  connection.join(mac)
  connection.join(mac)
  await is('live')
  await expect.poll(() => snapshots).toHaveLength(1)
  connection.join(mac)
  // A screen that mounts again starts the connection that is there.
  await connection.start('user-1')
  await connection.refresh()
  expect(sockets).toHaveLength(1)
  expect(heard.filter(([event]) => event === 'join-user-room')[0]).toEqual(['join-user-room', 'user-1'])
  expect(snapshots).toHaveLength(2)
})

test('a board that is shown later is joined at once', async () => {
  const { url } = await house()
  const { connection, snapshots, is } = tab(url)
  await connection.start('user-1')
  await is('live')
  connection.join(mac)
  await expect.poll(() => snapshots).toHaveLength(1)
})

test('sends a new token when the server says that the old one has expired', async () => {
  const { heard, url, server } = await house()
  let current = 'first'
  const { connection, is } = tab(url, { token: () => current })
  await connection.start('user-1')
  await is('live')
  current = 'second'
  server.emit('token-expired', { endsAt: 1 })
  await expect.poll(() => heard).toContainEqual(['renew-token', 'second'])
})

test('brings no token where the session has ended', async () => {
  const { heard, url, server } = await house()
  const tokens: (string | null)[] = ['first']
  const token = vi.fn<() => string | null>(() => tokens.shift() ?? null)
  const { connection, is } = tab(url, { token })
  await connection.start('user-1')
  await is('live')
  server.emit('token-expired', { endsAt: 1 })
  await expect.poll(() => token).toHaveBeenCalledTimes(2)
  // What is sent later arrives later.
  await connection.emit('join-user-room', 'the last')
  expect(heard.at(-1)).toEqual(['join-user-room', 'the last'])
  expect(heard.map(([event]) => event)).not.toContain('renew-token')
})

test('a deleted board is not joined again', async () => {
  const { heard, url } = await house()
  const { connection, snapshots, is } = tab(url)
  await connection.start('user-1')
  connection.join(mac)
  await is('live')
  await expect.poll(() => snapshots).toHaveLength(1)
  connection.leave(mac)
  await connection.refresh()
  expect(heard.filter(([event]) => event === 'join-user-device-room')).toHaveLength(1)
})

test('a board that the server refuses is no reason to connect again, and is not asked for again', async () => {
  const { heard, url, connections } = await house()
  const { connection, sockets, is } = tab(url)
  await connection.start('user-1')
  connection.join('34:98:7A:0C:51:E3')
  await is('live')
  await connection.refresh()
  await expect.poll(() => heard.map(([event]) => event)).toContain('join-user-device-room')
  await connection.emit('join-user-room', 'user-1')
  expect([connections(), sockets[0]?.connected]).toEqual([1, true])
  const asked = heard.length
  await connection.refresh()
  // What is sent later arrives later.
  await connection.emit('join-user-room', 'the last')
  expect(heard.slice(asked).map(([event]) => event)).toEqual(['join-user-room', 'join-user-room'])
})

test('a board that the server refuses for now is asked for again, however often, until it is answered or removed', async () => {
  const { heard, url, connections, refuse } = await house()
  const clock = createFakeClock()
  const { connection, snapshots, is } = tab(url, { clock })
  const asked = () => heard.filter(([event]) => event === 'join-user-device-room').map(([, board]) => board)
  refuse({ ok: false, code: 'UNAVAILABLE', message: 'Please try again.' })
  await connection.start('user-1')
  await is('live')
  const other = '34:98:7A:0C:51:E3'
  connection.join(mac)
  connection.join(other)
  await connection.refresh()
  expect(asked()).toEqual([mac, other, mac, other])
  clock.advance(5000)
  await expect.poll(asked).toHaveLength(6)
  // What is sent later is answered later.
  await connection.emit('join-user-room', 'user-1')
  connection.leave(other)
  refuse(null)
  clock.advance(5000)
  await expect.poll(() => snapshots).toHaveLength(1)
  clock.advance(60_000)
  await connection.emit('join-user-room', 'the last')
  expect([asked().slice(4), connections()]).toEqual([[mac, other, mac], 1])
})

test('after a reconnection every room is joined again and its snapshot is fresh', async () => {
  const { heard, url, stop, start } = await house()
  const { connection, snapshots, is } = tab(url)
  await connection.start('user-1')
  connection.join(mac)
  await expect.poll(() => snapshots).toHaveLength(1)
  stop()
  await is('reconnecting')
  start()
  vi.advanceTimersByTime(attemptMs)
  await expect.poll(() => snapshots).toHaveLength(2)
  expect(heard.filter(([event]) => event === 'join-user-room')).toHaveLength(2)
  expect(connection.getState()).toBe('live')
})

test('the staff room is joined once, again after a reconnection, and not for the next person', async () => {
  const { heard, url, stop, start } = await house()
  const { connection, is } = tab(url)
  const joins = () => heard.filter(([event]) => event === 'join-staff-room').length
  await connection.start('admin-1')
  await is('live')
  connection.followFleet(true)
  connection.followFleet(true)
  // What is sent later arrives later.
  await connection.emit('join-user-room', 'admin-1')
  expect(joins()).toBe(1)
  stop()
  await is('reconnecting')
  start()
  vi.advanceTimersByTime(attemptMs)
  await expect.poll(() => joins()).toBe(2)
  await connection.start('user-2')
  await is('live')
  await connection.emit('join-user-room', 'user-2')
  expect(joins()).toBe(2)
})

test('after five failed attempts it is lost, and is retried on request', async () => {
  const { url, stop, start } = await house()
  const { connection, is, spendAttempts } = tab(url)
  await connection.start('user-1')
  await is('live')
  connection.reconnect()
  expect(connection.getState()).toBe('live')
  stop()
  await spendAttempts()
  start()
  connection.reconnect()
  await is('live')
  expect(connection.getState()).toBe('live')
})

test('an unattended page reconnects by itself, however long the server was down', async () => {
  const { url, stop, start } = await house()
  const clock = createFakeClock()
  const { connection, is, spendAttempts } = tab(url, { clock })
  await connection.start('user-1')
  await is('live')
  stop()
  await spendAttempts()
  for (const round of [1, 2]) {
    clock.advance(30_000)
    expect(connection.getState(), `round ${round}`).toBe('reconnecting')
    await spendAttempts()
  }
  start()
  clock.advance(30_000)
  await is('live')
})

/** Asks for a board on a connection on which nothing is answered any more. */
async function askInVain() {
  const server = await house()
  const own = tab(server.url)
  await own.connection.start('user-1')
  own.connection.join(mac)
  await own.is('live')
  await expect.poll(() => own.snapshots).toHaveLength(1)
  server.beDeaf(true)
  return { ...server, ...own, refreshed: own.connection.refresh() }
}

test('a connection on which nothing is answered any more is replaced, and the boards are fresh', async () => {
  const { connection, connections, snapshots, beDeaf, refreshed } = await askInVain()
  const said: string[] = []
  connection.subscribe(() => said.push(connection.getState()))
  vi.advanceTimersByTime(3000)
  await refreshed
  beDeaf(false)
  await expect.poll(() => snapshots).toHaveLength(2)
  expect(said).toEqual(['reconnecting', 'live'])
  expect(connections()).toBe(2)
})

test('who signs out while a board is asked for stays signed out', async () => {
  const { connection, connections, is, beDeaf, refreshed } = await askInVain()
  connection.stop()
  await refreshed
  expect(connection.getState()).toBe('off')
  beDeaf(false)
  // The next person's connection is the second one, after any that the first would have opened.
  await connection.start('user-2')
  await is('live')
  expect(connections()).toBe(2)
})

test('a server that goes away while a board is asked for is come back to', async () => {
  const { connection, connections, snapshots, is, beDeaf, stop, start, refreshed } = await askInVain()
  stop()
  await refreshed
  expect(connection.getState()).toBe('reconnecting')
  beDeaf(false)
  start()
  vi.advanceTimersByTime(attemptMs)
  await expect.poll(() => snapshots).toHaveLength(2)
  await is('live')
  expect(connections()).toBe(2)
})

test('an event of a newer server is heard as far as this page can read it, and spoils no other', async () => {
  const { url, server } = await house()
  const { connection, is } = tab(url)
  const heard: unknown[] = []
  connection.on('device-removed', ({ reason }) => heard.push(reason))
  connection.on('notify-user', (text) => heard.push(text))
  await connection.start('user-1')
  await is('live')
  server.emit('not-known-yet', { any: 'thing' })
  server.emit('device-removed', { deviceMac: mac, reason: 'replaced' })
  server.emit('device-removed', { reason: 'ended' })
  server.emit('notify-user', 'the last')
  await expect.poll(() => heard).toEqual(['replaced', 'the last'])
})

test('a refusal with a code of a newer server keeps its code and sentence', async () => {
  const { url } = await house()
  const { connection, is } = tab(url)
  await connection.start('user-1')
  await is('live')
  expect(await connection.emit('toggle-all-switches', { deviceMac: mac, state: true })).toEqual(locked)
})

test('a command without a connection is refused at once, never queued', async () => {
  const { heard, url, stop } = await house()
  const { connection, is, spendAttempts } = tab(url)
  const payload = { deviceMac: mac, switchIndex: 0, state: true }
  expect(await connection.emit('toggle-switch', payload)).toMatchObject({ ok: false, code: 'NOT_CONNECTED' })
  await connection.start('user-1')
  await is('live')
  expect(await connection.emit('toggle-switch', payload)).toMatchObject({ ok: true, id: 'c1' })
  stop()
  await spendAttempts()
  expect(await connection.emit('toggle-switch', payload)).toMatchObject({ ok: false, code: 'NOT_CONNECTED' })
  expect(heard.filter(([event]) => event === 'toggle-switch')).toHaveLength(1)
})

test('a handshake refused because of its token is retried with a renewed one', async () => {
  const { url } = await house((token) => token === 'renewed')
  let token = 'expired'
  const renew = vi.fn<() => Promise<boolean>>(async () => {
    token = 'renewed'
    return true
  })
  const clock = createFakeClock()
  const after = vi.spyOn(clock, 'after')
  const { connection, is } = tab(url, { token: () => token, renew, clock })
  await connection.start('user-1')
  await expect.poll(() => after).toHaveBeenCalledOnce()
  clock.advance(1000)
  await is('live')
  expect(renew).toHaveBeenCalledOnce()
})

test('a connection that the server ends, such as that of a revoked session, is begun anew with a renewed token', async () => {
  const { url, server, connections } = await house()
  const renew = vi.fn<() => Promise<boolean>>(async () => true)
  const clock = createFakeClock()
  const after = vi.spyOn(clock, 'after')
  const { connection, is } = tab(url, { renew, clock })
  await connection.start('user-1')
  await is('live')
  server.disconnectSockets()
  await is('reconnecting')
  await expect.poll(() => after).toHaveBeenCalledOnce()
  clock.advance(1000)
  await is('live')
  expect([connections(), renew.mock.calls.length]).toEqual([2, 1])
})

test('a handshake refused for another reason is tried again after a rest, with the same token', async () => {
  let isFull = true
  const { url } = await house(() => !isFull, 'UNAVAILABLE')
  const renew = vi.fn<() => Promise<boolean>>(async () => true)
  const clock = createFakeClock()
  const { connection, is } = tab(url, { renew, clock })
  await connection.start('user-1')
  await is('lost')
  isFull = false
  clock.advance(30_000)
  await is('live')
  expect(renew).not.toHaveBeenCalled()
})

test.each([
  ['cannot be renewed', async () => false],
  ['is not renewed for a fault', async () => Promise.reject(new Error('no answer'))]
])('a session that %s stays disconnected', async (_why, renew) => {
  const { url } = await house(() => false)
  const { connection, is } = tab(url, { renew })
  await connection.start('user-1')
  await is('lost')
  expect(await connection.emit('join-user-room', 'user-1')).toMatchObject({ ok: false, code: 'NOT_CONNECTED' })
})

test.each([true, false])('who signs out while the token is renewed stays signed out: renewed %s', async (isRenewed) => {
  const { url } = await house(() => false)
  const clock = createFakeClock()
  const renewal = Promise.withResolvers<boolean>()
  const renew = vi.fn<() => Promise<boolean>>(() => renewal.promise)
  const { connection, sockets } = tab(url, { renew, clock })
  await connection.start('user-1')
  await expect.poll(() => renew).toHaveBeenCalledOnce()
  connection.stop()
  renewal.resolve(isRenewed)
  await renewal.promise
  await new Promise((resolve) => void setImmediate(resolve))
  clock.advance(30_000)
  expect([connection.getState(), sockets.map(({ active }) => active)]).toEqual(['off', [false]])
})

test('who signs out before the next attempt is not connected by it', async () => {
  const { url } = await house(() => false)
  const clock = createFakeClock()
  const after = vi.spyOn(clock, 'after')
  const { connection, sockets } = tab(url, { clock })
  await connection.start('user-1')
  await expect.poll(() => after).toHaveBeenCalledOnce()
  connection.stop()
  clock.advance(1000)
  expect([connection.getState(), sockets.map(({ active }) => active)]).toEqual(['off', [false]])
})

test('a page whose first attempt fails does not look connected until all five have failed', async () => {
  // Like a proxy that blocks websockets.
  const proxy = createServer()
  proxy.on('upgrade', (_, line) => line.destroy())
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closing.push(() => void proxy.close())
  const { connection, spendAttempts } = tab(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  const said: string[] = []
  connection.subscribe(() => said.push(connection.getState()))
  await connection.start('user-1')
  await spendAttempts()
  expect(said).toEqual(['connecting', 'reconnecting', 'lost'])
})

test('an attempt that is never answered fails as soon as other requests of a page time out', async () => {
  const socket = await createOpenSocket('http://127.0.0.1:9')(async () => 'good')
  expect(socket.io.timeout()).toBe(10_000)
})

test('events are parsed: unknown ones are dropped', async () => {
  const { url, server } = await house()
  const { connection, is } = tab(url)
  const texts: string[] = []
  connection.on('notify-user', (text) => texts.push(text))
  await connection.start('user-1')
  await is('live')
  server.emit('notify-user', { evil: true })
  server.emit('notify-user', 'Gate: missed “Evening”')
  await expect.poll(() => texts).toEqual(['Gate: missed “Evening”'])
})

test('signing out drops the connection and forgets the boards', async () => {
  const { heard, url } = await house()
  const { connection, is } = tab(url)
  await connection.start('user-1')
  connection.join(mac)
  await is('live')
  await expect.poll(() => heard.filter(([event]) => event === 'join-user-device-room')).toHaveLength(1)
  connection.stop()
  expect(connection.getState()).toBe('off')
  await connection.start('user-2')
  await is('live')
  await connection.refresh()
  expect(heard.filter(([event]) => event === 'join-user-device-room')).toHaveLength(1)
})

test('a library that failed to load is requested again: after a while, and at once when it is needed', async () => {
  const { url } = await house()
  const clock = createFakeClock()
  let lost = 2
  const opens = vi.fn<OpenSocket>(async (token) => {
    if ((lost -= 1) >= 0) throw new TypeError('Failed to fetch dynamically imported module')
    return io(url, {
      transports: ['websocket'],
      autoConnect: false,
      auth: (give) => void token().then((own) => give({ token: own }))
    })
  })
  const connection = createConnection({ open: opens, clock, token: async () => 't', renew: async () => true })
  closing.push(() => connection.stop())
  await connection.start('u1')
  expect(connection.getState()).toBe('lost')
  clock.advance(5000)
  await expect.poll(() => opens).toHaveBeenCalledTimes(2)
  await expect.poll(() => connection.getState()).toBe('lost')
  connection.reconnect()
  connection.reconnect()
  await expect.poll(() => connection.getState()).toBe('live')
  clock.advance(5000)
  expect(opens).toHaveBeenCalledTimes(3)
})

test('a library that comes after the person has left opens nothing, also where another is there by then', async () => {
  const { url, connections } = await house()
  const waiting: (() => void)[] = []
  const opened: LiveSocket[] = []
  const connection = createConnection({
    open: async () => {
      await new Promise<void>((come) => waiting.push(come))
      const socket: LiveSocket = io(url, { transports: ['websocket'], autoConnect: false, forceNew: true })
      opened.push(socket)
      return socket
    },
    clock: createFakeClock(),
    token: async () => 't',
    renew: async () => true
  })
  closing.push(() => connection.stop())
  const starts = [connection.start('u1')]
  connection.stop()
  starts.push(connection.start('u2'))
  connection.stop()
  starts.push(connection.start('u1'))
  const come = async (index: number) => {
    waiting[index]?.()
    await starts[index]
  }
  await come(0)
  await come(1)
  expect(connection.getState()).toBe('connecting')
  await come(2)
  await expect.poll(() => connection.getState()).toBe('live')
  connection.stop()
  starts.push(connection.start('u3'))
  connection.stop()
  await come(3)
  expect(connection.getState()).toBe('off')
  expect(opened.map(({ active }) => active)).toEqual([false, false, false, false])
  expect(connections()).toBe(1)
})

test('a library that did not come is not asked for again once the person has left', async () => {
  const clock = createFakeClock()
  const opens = vi.fn<OpenSocket>(async () => Promise.reject(new TypeError('Failed to fetch')))
  const connection = createConnection({ open: opens, clock, token: async () => 't', renew: async () => true })
  await connection.start('u1')
  expect(connection.getState()).toBe('lost')
  connection.stop()
  clock.advance(5000)
  expect(connection.getState()).toBe('off')
  expect(opens).toHaveBeenCalledOnce()
})
