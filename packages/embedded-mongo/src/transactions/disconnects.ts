import type { Client } from '../clients.ts'
import type { Engine } from '../engine.ts'

/**
 * A session without connections is ended with its transaction and cursors. A driver's pool may use several connections
 * for one session, and reconnect after a broken one, so the session ends some time after its last connection.
 */
const GRACE_MS = 5000

export function createDisconnects(engine: Pick<Engine, 'sessions' | 'cursors'>): {
  arrived(client: Client): void
  left(client: Client): void
  stop(): void
} {
  const clients = new Set<Client>()
  const timers = new Set<NodeJS.Timeout>()

  const end = (sessions: Iterable<string>): void => {
    for (const session of sessions) {
      if ([...clients].some((client) => client.sessions.has(session))) continue
      engine.sessions.end(session)
      engine.cursors.closeWhere((cursor) => cursor.session === session && !cursor.busy)
    }
  }

  return {
    arrived: (client) => void clients.add(client),
    left: (client) => {
      clients.delete(client)
      // No other connection can use cursors without a session.
      engine.cursors.closeWhere((cursor) => cursor.session === null && cursor.client === client.id && !cursor.busy)
      if (client.sessions.size === 0) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        end(client.sessions)
      }, GRACE_MS)
      timer.unref()
      timers.add(timer)
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }
}
