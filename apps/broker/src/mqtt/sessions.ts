import { longestDelayMs } from '@batti/kit/clock'
import type { Acl } from './authorize.ts'
import type { Identity } from './connect-rules.ts'
import type { Duplex } from 'node:stream'

/** The connection of a session. */
export interface SessionStream extends Pick<Duplex, 'destroyed' | 'destroy' | 'once' | 'write'> {
  /** Closes after the peer has had time to read the last word. */
  hangUp(lastWord?: Buffer): void
}

/** One authenticated connection. */
export interface Session extends Identity {
  readonly peerhost: string
  readonly keepaliveS: number
  readonly acl: Acl
  /** What it is subscribed to. */
  readonly filters: Set<string>
  readonly stream: SessionStream
  /** The very object that aedes will publish as the last will. */
  readonly will: object | null
  /** Milliseconds since the epoch. */
  readonly connectedAt: number
  readonly expiresAt: number | null
  /** A newer connection with the same client id and credential, which aedes is about to put in this one's place. */
  successor: Session | null
  expiry: NodeJS.Timeout | null
}

/** A CONNECT that the api is still authenticating. */
export interface Opening {
  readonly clientId: string
  revoked: boolean
}

/**
 * The list of connected clients. aedes' own list is not reliable: its `unregisterClient` deletes by id, so it loses a new
 * connection when an old one with the same id closes at the same moment, and its count is wrong afterwards.
 */
export function createSessions({ now }: { now: () => number }) {
  const connected = new Map<string, Session>()
  const openings = new Map<string, Set<Opening>>()
  /** Authenticated, but not registered yet: aedes takes a few turns of the event loop, more if it closes an older one first. */
  const announced = new Set<Session>()

  function armExpiry(session: Session): void {
    if (session.expiresAt === null) return
    const leftMs = session.expiresAt - now()
    if (leftMs <= 0) session.stream.destroy()
    else session.expiry = setTimeout(() => armExpiry(session), Math.min(leftMs, longestDelayMs))
  }

  function remove(session: Session): void {
    if (session.expiry !== null) clearTimeout(session.expiry)
    if (connected.get(session.clientId) === session) connected.delete(session.clientId)
  }

  return {
    /** Registers a CONNECT whose authentication begins. Call `closeOpening` when it is answered. */
    open(clientId: string): Opening {
      const opening = { clientId, revoked: false }
      const same = openings.get(clientId)
      if (same === undefined) openings.set(clientId, new Set([opening]))
      else same.add(opening)
      return opening
    },
    closeOpening(opening: Opening): void {
      const same = openings.get(opening.clientId)
      same?.delete(opening)
      if (same?.size === 0) openings.delete(opening.clientId)
    },
    /** Marks an authenticated session as successor, which suppresses the older connection's will while its stream is open. */
    announce(session: Session): void {
      announced.add(session)
      session.stream.once('close', () => announced.delete(session))
      const older = connected.get(session.clientId)
      if (older !== undefined) older.successor = session
    },
    add(session: Session): void {
      announced.delete(session)
      const older = connected.get(session.clientId)
      if (older !== undefined && older !== session) {
        older.successor = session
        older.stream.destroy()
        remove(older)
      }
      // It may have ended while the older one was closed; aedes has reported its end already.
      if (session.stream.destroyed) return
      connected.set(session.clientId, session)
      armExpiry(session)
    },
    remove,
    /** Closes the client's connections, and refuses any CONNECT of it that is being authenticated. */
    revoke(clientId: string): boolean {
      const registered = connected.get(clientId)
      const sessions = [...announced].filter((session) => session.clientId === clientId)
      if (registered !== undefined) sessions.push(registered)
      const opening = openings.get(clientId)
      for (const one of opening ?? []) one.revoked = true
      for (const { stream } of sessions) stream.destroy()
      return sessions.length > 0 || opening !== undefined
    },
    /** Closes every connection, registered or not, when the broker stops. */
    endAll(): void {
      for (const { stream } of [...announced, ...connected.values()]) stream.destroy()
    },
    get: (clientId: string): Session | undefined => connected.get(clientId),
    all: (): IterableIterator<Session> => connected.values(),
    count: (): number => connected.size
  }
}

export type Sessions = ReturnType<typeof createSessions>
