import { createSemaphore } from '@batti/kit/semaphore'
import type { ClientEventAnswer } from '@batti/contracts'
import { tryAgainAfter, unauthenticated } from '../platform/app-error.ts'
import { inBatches } from '../platform/store/batches/in-batches.ts'
import type { Actor } from '../platform/people/actor.ts'
import type { BattiServer, BattiSocket } from '../platform/sockets.ts'
import { macOfRoom, sessionRoom, staffRoom, userRoom } from './device-events.ts'
import { acknowledgement, createRefuseEvent, parsePayload } from './socket-answers.ts'
import type { SocketServerOptions } from './socket-options.ts'

/** Revokes what a connection was granted when the grant ends: the token, the session, the role or a permission. */
export function enforceEntitlement(io: BattiServer, options: SocketServerOptions): void {
  const { events } = options
  const refuse = createRefuseEvent(events)
  let changes = 0
  /** How many changes there were when the login of a socket began. */
  const changesBefore = new WeakMap<BattiSocket, number>()
  events.on('session-ended', ({ sessionId }) => io.local.in(sessionRoom(sessionId)).disconnectSockets(true))
  events.on('account-deleted', ({ userId }) => io.local.in(userRoom(userId)).disconnectSockets(true))
  events.on('account-changed', ({ userId }) =>
    checkAndTell([...io.sockets.sockets.values()].filter((socket) => socket.data.actor.userId === userId))
  )
  for (const name of ['session-ended', 'account-deleted', 'account-changed'] as const)
    events.on(name, () => void (changes += 1))

  async function checkAndTell(sockets: readonly BattiSocket[]): Promise<void> {
    await checkOrEnd(sockets, options)
    for (const socket of sockets) {
      const { role, permissions } = socket.data.actor
      socket.emit('account-changed', { role, permissions: [...permissions] })
    }
  }

  io.use((socket, next) => {
    changesBefore.set(socket, changes)
    next()
  })
  io.on('connection', (socket) => {
    // What has ended since its account was read was announced before this socket was in any room.
    if (changesBefore.get(socket) !== changes) void checkAndTell([socket])
    const semaphore = createSemaphore(1)
    socket.on('renew-token', async (...args: unknown[]) => {
      const ack = acknowledgement<ClientEventAnswer<'renew-token'>>(args)
      try {
        if (!socket.data.limits.mayJoin()) throw tryAgainAfter(10)
        const token = parsePayload('renew-token', args[0])
        if (!socket.data.limits.mayRenew()) throw tryAgainAfter(10)
        await semaphore.run(() => renew(socket, token, options))
        ack({ ok: true })
      } catch (error) {
        refuse(socket, 'renew-token', { error, ack })
      }
    })
  })
}

/**
 * Checks all sockets again, for when this instance may have missed a revocation.
 * @throws when the database cannot be read.
 */
export async function checkAllAgain(io: BattiServer, options: SocketServerOptions): Promise<void> {
  for (const sockets of inBatches([...io.sockets.sockets.values()])) await checkAgain(sockets, options)
}

/** Disconnects every socket that the database does not confirm. */
async function checkOrEnd(sockets: readonly BattiSocket[], options: SocketServerOptions): Promise<void> {
  await checkAgain(sockets, options).catch(() => sockets.forEach((socket) => socket.disconnect(true)))
}

/** In the order in which checks begin. */
let checks = 0

/** Reads actors and permissions again; each socket leaves every room it may no longer see. */
async function checkAgain(sockets: readonly BattiSocket[], options: SocketServerOptions): Promise<void> {
  const check = (checks += 1)
  const asked = sockets.map((socket) => ({ socket, sessionId: socket.data.actor.sessionId }))
  const actors = await options.whoStays(sockets.map(({ data }) => data.actor))
  for (const { socket, sessionId } of asked) {
    // The socket has meanwhile renewed its token under another session, which was checked then.
    if (socket.data.actor.sessionId !== sessionId) continue
    // A check that began later may have been faster, and has read newer data.
    if (check < socket.data.lastCheck) continue
    socket.data.lastCheck = check
    const actor = actors.get(sessionId)
    if (actor === undefined) socket.disconnect(true)
    else await narrow(socket, actor, options)
  }
}

async function narrow(socket: BattiSocket, actor: Actor, { maySee, maySeeFleet }: SocketServerOptions): Promise<void> {
  socket.data.actor = actor
  if (!maySeeFleet(actor)) await socket.leave(staffRoom)
  for (const room of socket.rooms) {
    const deviceMac = macOfRoom(room)
    if (deviceMac === undefined || (await maySee(actor, deviceMac))) continue
    if (actor.role === 'user') socket.emit('device-removed', { deviceMac, reason: 'moved' })
    await socket.leave(room)
  }
}

/** Accepts a new token of the same account: the connection continues, and ends with that token's session. */
async function renew(socket: BattiSocket, token: string, options: SocketServerOptions): Promise<void> {
  const { userId, sessionId } = socket.data.actor
  const actor = await options.authenticate(token)
  if (actor.userId !== userId) throw unauthenticated('That token belongs to another account.')
  Object.assign(socket.data, { actor, token })
  if (actor.sessionId !== sessionId) {
    await socket.join(sessionRoom(actor.sessionId))
    await socket.leave(sessionRoom(sessionId))
  }
  socket.data.watch.renewed(token)
  await checkOrEnd([socket], options)
}
