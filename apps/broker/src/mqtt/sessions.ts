import type { Acl } from './authorize.ts'
import type { Identity } from './connect-rules.ts'
import type { Duplex } from 'node:stream'

/** The connection of a session. */
export interface SessionStream extends Pick<Duplex, 'destroyed' | 'destroy'> {
  /** Closes after the peer has had time to read the last word. */
  hangUp(lastWord?: Buffer): void
}

/** One authenticated connection. */
export interface Session extends Identity {
  readonly peerhost: string
  readonly keepaliveS: number
  readonly acl: Acl
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

/** setTimeout's longest delay. */
const longestTimeoutMs = 2 ** 31 - 1

/**
 * The list of connected clients. aedes' own list is not reliable: its `unregisterClient` deletes by id, so it loses a new
 * connection when an old one with the same id closes at the same moment, and its count is wrong afterwards.
 */
export function createSessions({ now }: { now: () => number }) {
  const connected = new Map<string, Session>()
  const openings = new Map<string, Set<Opening>>()

  function armExpiry(session: Session): void {
    if (session.expiresAt === null) return
    const leftMs = session.expiresAt - now()
    if (leftMs <= 0) session.stream.destroy()
    else session.expiry = setTimeout(() => armExpiry(session), Math.min(leftMs, longestTimeoutMs))
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
      const older = connected.get(session.clientId)
      if (older !== undefined) older.successor = session
    },
    add(session: Session): void {
      const older = connected.get(session.clientId)
      connected.set(session.clientId, session)
      if (older !== undefined && older !== session) {
        older.successor = session
        older.stream.destroy()
      }
      armExpiry(session)
    },
    remove(session: Session): void {
      if (session.expiry !== null) clearTimeout(session.expiry)
      if (connected.get(session.clientId) === session) connected.delete(session.clientId)
    },
    /** Closes the client's connection, and refuses any CONNECT of it that is being authenticated. */
    revoke(clientId: string): boolean {
      const session = connected.get(clientId)
      const opening = openings.get(clientId)
      for (const one of opening ?? []) one.revoked = true
      session?.stream.destroy()
      return session !== undefined || opening !== undefined
    },
    get: (clientId: string): Session | undefined => connected.get(clientId),
    all: (): IterableIterator<Session> => connected.values(),
    count: (): number => connected.size
  }
}

export type Sessions = ReturnType<typeof createSessions>
