import type { Timers } from '@batti/kit/clock'
import type { Store } from '#web/lib/store.ts'
import type { ConnectionStatus } from './connection-status.ts'
import type { LiveSocket } from './live-socket.ts'

export interface ReconnectionDeps {
  status: Store<ConnectionStatus>
  clock: Timers
  /** The server refused the handshake for the token's sake: renew it. Answers whether to try again. */
  renew: () => Promise<boolean>
  /** Whether the connection still goes by this socket. */
  isCurrent: (socket: LiveSocket) => boolean
}

/** How long a lost connection rests before the next round of attempts. */
const restMs = 30_000

/** What a connection does when the library does not reconnect by itself. */
export function createReconnection({ status, clock, renew, isCurrent }: ReconnectionDeps) {
  let cancelRetry = () => {}

  function rest(socket: LiveSocket) {
    status.set('lost')
    cancelRetry()
    cancelRetry = clock.after(restMs, () => {
      if (isCurrent(socket)) tryAgain(socket)
    })
  }
  /** At once, where the attempts are spent. */
  function tryAgain(socket: LiveSocket) {
    if (status.get() !== 'lost') return
    cancelRetry()
    status.set('reconnecting')
    socket.connect()
  }
  /** With a token that the server takes. */
  async function comeBack(socket: LiveSocket) {
    const mayTry = await renew().catch(() => false)
    if (!isCurrent(socket)) return
    if (!mayTry) return rest(socket)
    // A second between attempts, as everywhere else: a server that refuses must not be hammered.
    cancelRetry()
    cancelRetry = clock.after(1000, () => isCurrent(socket) && socket.connect())
  }

  return {
    /** Follows a new socket. */
    watch: (socket: LiveSocket) => {
      socket.on('disconnect', (reason) => {
        if (!isCurrent(socket) || reason === 'io client disconnect') return
        status.set('reconnecting')
        // The server ended it (a session that was revoked, a block): the library does not come back by itself.
        if (reason === 'io server disconnect') void comeBack(socket)
      })
      socket.on('connect_error', (error: Error & { data?: { code?: unknown } }) => {
        if (!isCurrent(socket)) return
        if (status.get() !== 'connecting') status.set('reconnecting')
        if (error.data?.code === 'UNAUTHENTICATED') void comeBack(socket)
        else if (!socket.active) rest(socket)
      })
      socket.io.on('reconnect_failed', () => {
        if (isCurrent(socket)) rest(socket)
      })
    },
    tryAgain,
    cancel: () => cancelRetry()
  }
}
