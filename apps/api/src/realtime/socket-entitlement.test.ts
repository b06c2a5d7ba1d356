import { systemClock } from '@batti/kit/clock'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { until } from '@batti/kit/testing'
import { createEventBus } from '../platform/events.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import type { Actor } from '../platform/people/actor.ts'
import { openScreen } from '../testing/open-screen.ts'
import { createRefuseEvent } from './socket-answers.ts'
import { checkAllAgain } from './socket-entitlement.ts'
import type { SocketServerOptions } from './socket-options.ts'
import { createSocketRooms } from './socket-rooms.ts'
import { createSocketServer } from './socket-server.ts'

const admin: Actor = { userId: 'sita', sessionId: 'phone', role: 'admin', name: 'Sita', permissions: [] }
const user: Actor = { ...admin, role: 'user' }
const token = `.${Buffer.from(JSON.stringify({ exp: 9e9 })).toString('base64url')}.`
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server whose reads of accounts end when the test says so. */
async function openServer() {
  const http = createServer()
  const events = createEventBus(pino({ enabled: false }))
  const maySeeFleet = ({ role }: Actor): boolean => role === 'admin'
  const blocked = new Set<string>()
  const logins: ((actor: Actor) => void)[] = []
  const reads: ((actor: Actor | null) => void)[] = []
  const options: SocketServerOptions = {
    http,
    events,
    log: pino({ enabled: false }),
    metrics: createMetrics(),
    limits: { commandsPerSecond: 20, joinsPerMinute: 600, sockets: 200 },
    isOwnHost: () => true,
    isOwnPage: () => true,
    clientAddress: () => '127.0.0.1',
    monotonic: systemClock.monotonic,
    isBlocked: () => blocked.has('127.0.0.1'),
    authenticate: () => new Promise((resolve) => logins.push(resolve)),
    async whoStays(actors) {
      if (actors.length === 0) return new Map()
      const actor = await new Promise<Actor | null>((resolve) => reads.push(resolve))
      return new Map(actor === null ? [] : [[actor.sessionId, actor]])
    },
    maySeeFleet,
    maySee: () => Promise.resolve(false),
    timers: systemClock,
    listeners: [
      createSocketRooms({
        directory: {} as Parameters<typeof createSocketRooms>[0]['directory'],
        maySee: () => false,
        maySeeFleet,
        refuse: createRefuseEvent(events)
      })
    ]
  }
  const io = createSocketServer(options)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(() => io.close())
  const screen = openScreen(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, token, {})
  const logIn = await until('the login has begun', () => logins[0])
  return { blocked, events, reads, screen, logIn, logins, checkAll: () => checkAllAgain(io, options) }
}

test('a session that ends while a screen logs in with it ends that screen', async () => {
  const { events, reads, screen, logIn } = await openServer()
  events.emit('session-ended', { userId: admin.userId, sessionId: admin.sessionId })
  logIn(admin)
  const { socket } = await screen
  const answer = await until('the session is looked up again', () => reads[0])
  answer(null)
  await until('the screen is disconnected', () => !socket.connected)
})

test('a person who is demoted while a screen logs in stays connected, with the new role', async () => {
  const { events, reads, screen, logIn } = await openServer()
  events.emit('account-changed', { userId: admin.userId })
  logIn(admin)
  const { next, send } = await screen
  const answer = await until('the account is looked up again', () => reads[0])
  answer(user)
  expect(await next('account-changed')).toMatchObject({ role: 'user' })
  expect(await send('join-staff-room', {})).toMatchObject({ code: 'FORBIDDEN' })
})

test('a screen whose address is blocked while it logs in gets no connection', async () => {
  const { blocked, screen, logIn } = await openServer()
  blocked.add('127.0.0.1')
  logIn(user)
  await expect(screen).rejects.toMatchObject({ data: { code: 'IP_BLOCKED' } })
})

test('a login without any change meanwhile costs no second lookup', async () => {
  const { reads, screen, logIn } = await openServer()
  logIn(admin)
  expect(await (await screen).send('join-staff-room', {})).toMatchObject({ ok: true })
  expect(reads).toHaveLength(0)
})

test('a role that ended is not restored by a check of all screens that had read it before', async () => {
  const { events, reads, screen, logIn, checkAll } = await openServer()
  logIn(admin)
  const { next, send } = await screen
  const checked = checkAll()
  events.emit('account-changed', { userId: admin.userId })
  reads[1]?.(user)
  await next('account-changed')
  reads[0]?.(admin)
  await checked
  expect(await send('join-staff-room', {})).toMatchObject({ code: 'FORBIDDEN' })
})

test('a screen that goes on with another session is not ended by a check of its former one', async () => {
  const { reads, screen, logIn, logins, checkAll } = await openServer()
  logIn(user)
  const { send, socket } = await screen
  const checked = checkAll()
  const renewed = send('renew-token', token)
  const renew = await until('the new token is looked up', () => logins[1])
  renew({ ...user, sessionId: 'laptop' })
  const answer = await until('its session is checked', () => reads[1])
  reads[0]?.(null)
  await checked
  answer({ ...user, sessionId: 'laptop' })
  expect(await renewed).toEqual({ ok: true })
  expect(socket.connected).toBe(true)
})
