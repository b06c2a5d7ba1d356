import type { Timers } from '@batti/kit/clock'
import type { Store } from '#web/lib/store.ts'
import type { ConnectionStatus } from './connection-status.ts'
import type { LiveSocket } from './live-socket.ts'

export interface ReconnectionDeps {
  status: Store<ConnectionStatus>
  clock: Timers
  /** Renews the token after the server refused the handshake because of it. Returns whether to try again. */
  renew: () => Promise<boolean>
  /** Returns whether this socket is still the current one. */
  isCurrent: (socket: LiveSocket) => boolean
}

/** The pause of a lost connection before the next round of attempts. */
const restMs = 30_000

/** Reconnects in the cases that the library does not handle. */
export function createReconnection({ status, clock, renew, isCurrent }: ReconnectionDeps) {
  let cancelRetry = () => {}

  function rest(socket: LiveSocket) {
    status.set('lost')
    cancelRetry()
    cancelRetry = clock.after(restMs, () => tryAgain(socket))
  }
  /** Reconnects at once if the attempts are spent. */
  function tryAgain(socket: LiveSocket) {
    if (status.get() !== 'lost') return
    status.set('reconnecting')
    socket.connect()
  }
  /** Reconnects after renewing the token. */
  async function comeBack(socket: LiveSocket) {
    const mayTry = await renew().catch(() => false)
    if (!isCurrent(socket)) return
    if (!mayTry) return rest(socket)
    // Waits a second between attempts, as everywhere: a server that refuses must not be flooded.
    cancelRetry()
    cancelRetry = clock.after(1000, () => socket.connect())
  }

  return {
    /** Follows a new socket. */
    watch: (socket: LiveSocket) => {
      socket.on('disconnect', (reason) => {
        if (!isCurrent(socket)) return
        status.set('reconnecting')
        // The server closed the connection (a revoked session, a block): the library does not reconnect by itself.
        if (reason === 'io server disconnect') void comeBack(socket)
      })
      socket.on('connect_error', (error: Error & { data?: { code?: unknown } }) => {
        if (!isCurrent(socket)) return
        // A token that ran out is renewed first, unseen; any other failure is a page without connection.
        const wantsToken = error.data?.code === 'UNAUTHENTICATED'
        if (status.get() !== 'connecting' || !wantsToken) status.set('reconnecting')
        if (wantsToken) void comeBack(socket)
        else if (!socket.active) rest(socket)
      })
      socket.io.on('reconnect_failed', () => {
        if (isCurrent(socket)) rest(socket)
      })
    },
    tryAgain,
    /** Ends the waiting of a socket that is no longer the current one. */
    cancel: () => cancelRetry()
  }
}
