import { createSemaphore } from '@batti/kit/semaphore'
import { clientEvents, type ClientEventAnswer } from '@batti/contracts'
import { tryAgainAfter, unauthenticated } from '../platform/app-error.ts'
import { toAppError } from '../platform/http/error-handler.ts'
import { parseInput } from '../platform/http/validate.ts'
import type { BattiServer, BattiSocket } from '../platform/sockets.ts'
import { deviceRoom, sessionRoom, staffRoom, userRoom } from './device-events.ts'
import { acknowledgement, noteRefusal } from './socket-answers.ts'
import type { SocketServerOptions } from './socket-options.ts'

/** What a connection was granted ends with what granted it: its token, its session, its role, each of its permissions. */
export function keepEntitled(io: BattiServer, options: SocketServerOptions): void {
  const { events } = options
  events.on('session-ended', ({ sessionId }) => io.local.in(sessionRoom(sessionId)).disconnectSockets(true))
  events.on('account-deleted', ({ userId }) => io.local.in(userRoom(userId)).disconnectSockets(true))
  events.on('account-changed', async ({ userId }) => {
    const sockets = [...io.sockets.sockets.values()].filter((socket) => socket.data.actor.userId === userId)
    await Promise.all(
      sockets.map(async (socket) => {
        await checkAgain(socket, options)
        const { role, permissions } = socket.data.actor
        socket.emit('account-changed', { role, permissions: [...permissions] })
      })
    )
  })
  io.on('connection', (socket) => {
    const semaphore = createSemaphore(1)
    socket.on('renew-token', async (...args: unknown[]) => {
      const ack = acknowledgement<ClientEventAnswer<'renew-token'>>(args)
      try {
        if (!socket.data.limits.mayJoin()) throw tryAgainAfter(10)
        const token = parseInput(clientEvents['renew-token'], args[0])
        if (!socket.data.limits.mayRenew()) throw tryAgainAfter(10)
        await semaphore.run(() => renew(socket, token, options))
        ack({ ok: true })
      } catch (error) {
        const { code, message } = toAppError(error)
        ack({ ok: false, code, message })
        noteRefusal(events)(socket, 'renew-token', code)
        if (socket.data.limits.isFlooding()) socket.disconnect(true)
      }
    })
  })
}

const checkedAtOnce = 20

/** All of them, where this instance may have missed that something was taken back. */
export async function checkAllAgain(io: BattiServer, options: SocketServerOptions): Promise<void> {
  const semaphore = createSemaphore(checkedAtOnce)
  await Promise.all([...io.sockets.sockets.values()].map((socket) => semaphore.run(() => checkAgain(socket, options))))
}

/** Asks anew who this is and what they may see; leaves every room that is no longer theirs. */
async function checkAgain(
  socket: BattiSocket,
  { authenticate, maySee, maySeeFleet }: SocketServerOptions
): Promise<void> {
  try {
    socket.data.actor = await authenticate(socket.data.token)
    if (!maySeeFleet(socket.data.actor)) await socket.leave(staffRoom)
    const prefix = deviceRoom('')
    for (const room of [...socket.rooms].filter((name) => name.startsWith(prefix)))
      if (!(await maySee(socket.data.actor, room.slice(prefix.length)))) await socket.leave(room)
  } catch {
    socket.disconnect(true)
  }
}

/** A new token of the same account: the connection goes on, and ends with the session of that token. */
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
  await checkAgain(socket, options)
}
