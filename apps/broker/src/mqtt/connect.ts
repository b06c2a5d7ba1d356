import { quarantineReason } from '@batti/contracts'
import type { Client, ConnectPacket } from 'aedes'
import { setTimeout as delay } from 'node:timers/promises'
import type { Authenticate } from '../hook/authenticate.ts'
import { compileAcl } from './authorize.ts'
import { BoardStream } from './board-stream.ts'
import { connack, judgeConnect, type ConnackCode, type Identity } from './connect-rules.ts'
import type { PendingConnection } from '../tls/connection-limits.ts'
import type { FailureBackoff } from './failure-backoff.ts'
import type { Tally } from '../metrics.ts'
import type { Refusals } from '../hook/refusals.ts'
import type { Session, Sessions } from './sessions.ts'
import type { Takeovers } from './takeovers.ts'

/** Where a stream comes from, known before it authenticates. */
export interface Origin {
  readonly peerhost: string
  readonly pending: PendingConnection
}

export interface ConnectDeps {
  readonly authenticate: Authenticate
  readonly backoff: FailureBackoff
  readonly refusals: Refusals
  readonly sessions: Sessions
  readonly takeovers: Takeovers
  readonly tally: Tally
  readonly origins: WeakMap<BoardStream, Origin>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * aedes' `preConnect` hook. It decides everything about a CONNECT, because it sees the whole packet and aedes has registered
 * nothing yet: a refused client cannot affect an open connection with the same client id. It must call back with an
 * Error or with `true`. `false`, which aedes' docs allow, would leave the socket open forever.
 */
export function createConnectStep(deps: ConnectDeps) {
  /** Counts a takeover of a board's connection. Instances of the api may replace each other freely. */
  function beginsQuarantine({ kind, clientId }: Identity): boolean {
    const older = deps.sessions.get(clientId)
    if (kind !== 'board' || older === undefined || older.stream.destroyed) return false
    return deps.takeovers.note(clientId)
  }

  /** Answers "unavailable" (3), not "not authorized": the credential is good, and the board must keep it. */
  function refuseDuplicate({ clientId: clientid, username }: Identity, peerhost: string, reason: string): ConnackCode {
    deps.refusals.note({ clientid, username, peerhost, topic: 'CONNECT', reason })
    return 3
  }

  async function decide(
    packet: ConnectPacket,
    identity: Identity,
    origin: Origin,
    stream: BoardStream
  ): Promise<Session | ConnackCode> {
    const { peerhost } = origin
    const { clientId, username } = identity
    if (deps.takeovers.isQuarantined(clientId)) return refuseDuplicate(identity, peerhost, 'quarantined')
    const delayMs = deps.backoff.delayMs(peerhost, clientId)
    if (delayMs > 0) await delay(delayMs)
    if (stream.destroyed) return 3
    const opening = deps.sessions.open(clientId)
    try {
      const password = packet.password?.toString() ?? ''
      const verdict = await deps.authenticate({ clientid: clientId, username, password, peerhost })
      deps.tally.auth[verdict.result] += 1
      if (verdict.result === 'unavailable') return 3
      if (verdict.result === 'deny') {
        deps.backoff.failed(peerhost, clientId)
        return 5
      }
      if (opening.revoked) return deps.takeovers.isQuarantined(clientId) ? 3 : 5
      deps.backoff.succeeded(peerhost, clientId)
      if (beginsQuarantine(identity)) {
        deps.sessions.revoke(clientId)
        return refuseDuplicate(identity, peerhost, quarantineReason)
      }
      return {
        ...identity,
        peerhost,
        keepaliveS: packet.keepalive ?? 0,
        acl: compileAcl(verdict.rules),
        filters: new Set(),
        stream,
        will: packet.will ?? null,
        connectedAt: deps.now(),
        expiresAt: verdict.expiresAt,
        successor: null,
        expiry: null
      }
    } finally {
      deps.sessions.closeOpening(opening)
    }
  }

  async function step(client: Client, packet: ConnectPacket): Promise<Error | null> {
    const stream = client.conn
    const origin = stream instanceof BoardStream ? deps.origins.get(stream) : undefined
    if (!(stream instanceof BoardStream) || origin === undefined) return new Error('a stream of unknown origin')
    const { pending, peerhost } = origin
    pending.spoke()
    const identity = judgeConnect(packet)
    if ('code' in identity) {
      const { clientId: clientid, username = null } = packet
      deps.refusals.note({ clientid, username, peerhost, topic: 'CONNECT', reason: identity.reason })
      return refuse(stream, identity.code)
    }
    const outcome = await decide(packet, identity, origin, stream)
    if (typeof outcome === 'number') return refuse(stream, outcome)
    if (stream.destroyed) return new Error('gone before it was answered')
    stream.session = outcome
    if (outcome.kind === 'service') stream.liftPacketLimit()
    pending.leave()
    deps.sessions.announce(outcome)
    return null
  }

  async function run(client: Client, packet: ConnectPacket, done: PreConnectDone): Promise<void> {
    let refusal
    try {
      refusal = await step(client, packet)
    } catch (error) {
      refusal = error instanceof Error ? error : new Error('CONNECT failed')
    }
    done(refusal, refusal === null)
  }

  return function preConnect(client: Client, packet: ConnectPacket, done: PreConnectDone): void {
    void run(client, packet, done)
  }
}

type PreConnectDone = (error: Error | null, success: boolean) => void

function refuse(stream: BoardStream, code: ConnackCode): Error {
  stream.hangUp(connack(code))
  return new Error(`CONNACK ${code}`)
}
