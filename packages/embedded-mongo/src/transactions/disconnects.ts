import type { Client } from '../clients.ts'
import type { Engine } from '../engine.ts'

/**
 * A session without connections is ended with its cursors. A driver's pool may use several connections for one session, and
 * reconnect after a broken one, so the session ends some time after its last connection. Its transaction is rolled back at
 * once: others wait for the records of a killed process, and a driver that reconnects is told to try the transaction again.
 */
const GRACE_MS = 5000

export function createDisconnects(engine: Pick<Engine, 'sessions' | 'cursors'>): {
  arrived(client: Client): void
  left(client: Client): void
  stop(): void
} {
  const clients = new Set<Client>()
  const timers = new Set<NodeJS.Timeout>()

  const withoutConnection = (sessions: ReadonlySet<string>): string[] =>
    [...sessions].filter((session) => ![...clients].some((client) => client.sessions.has(session)))

  const end = (sessions: ReadonlySet<string>): void => {
    for (const session of withoutConnection(sessions)) {
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
      for (const session of withoutConnection(client.sessions)) engine.sessions.fail(session)
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
