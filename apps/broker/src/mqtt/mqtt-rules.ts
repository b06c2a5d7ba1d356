import type { Client, PublishPacket, Subscription } from 'aedes'
import { BoardStream } from './board-stream.ts'
import { countRefused, type Tally } from '../metrics.ts'
import type { Refusals } from '../hook/refusals.ts'
import type { Session } from './sessions.ts'

/** The SUBACK return code "failure". MQTT 3.1.1 §3.9.3. */
const deniedSubscription = 128

export function sessionOf(client: Client | null): Session | null {
  return client !== null && client.conn instanceof BoardStream ? client.conn.session : null
}

export interface MqttRulesDeps {
  readonly refusals: Refusals
  readonly tally: Tally
  /** True from the moment the broker stops. */
  readonly stopping: () => boolean
}

/**
 * The permissions of an authenticated client, as aedes' hooks. They run for every message, so the allowed path allocates
 * nothing. An error closes the connection.
 */
export function createMqttRules({ refusals, tally, stopping }: MqttRulesDeps) {
  const refused = new WeakSet<Session>()

  /** The first refusal ends the connection. Further ones of the same connection are counted but not logged. */
  function refuse(session: Session, topic: string, reason: string): Error {
    const { clientId: clientid, username, peerhost } = session
    if (refused.has(session)) countRefused(tally, reason)
    else refusals.note({ clientid, username, peerhost, topic, reason })
    refused.add(session)
    return new Error(reason)
  }

  function mayPublishWill(session: Session, topic: string): boolean {
    // When the broker stops, the boards are not offline: they reconnect within seconds.
    if (stopping()) return false
    // The board has a newer connection. aedes publishes the will of an older one that died before its takeover, and
    // "offline" would arrive after the "online" of the newer one.
    if (session.successor !== null && !session.successor.stream.destroyed) return false
    return session.acl.publish(topic)
  }

  return {
    authorizePublish: (client: Client | null, packet: PublishPacket, done: (error?: Error | null) => void): void => {
      const session = sessionOf(client)
      if (session === null) done(new Error('nobody publishes this'))
      else if (packet === session.will)
        done(mayPublishWill(session, packet.topic) ? null : new Error('will suppressed'))
      else if (packet.qos === 2) done(refuse(session, packet.topic, 'publish-qos-2'))
      else if (packet.retain) done(refuse(session, packet.topic, 'publish-retained'))
      else if (!session.acl.publish(packet.topic)) done(refuse(session, packet.topic, 'publish-denied'))
      else done(null)
    },

    /**
     * Null makes aedes send 128 in the SUBACK, which an error would not; `closeDenied` then ends the connection. In a
     * persistent session aedes stores even a denied subscription and restores it later. Sessions are clean here, and
     * `authorizeForward` checks the same rules.
     */
    authorizeSubscribe: (
      client: Client,
      wish: Subscription,
      done: (error: Error | null, granted?: Subscription | null) => void
    ): void => {
      const session = sessionOf(client)
      if (session === null) done(new Error('nobody subscribes'))
      else if (wish.qos <= 1 && session.acl.subscribe(wish.topic)) {
        // At once: the next packet, which may bring an answer, is handled before the SUBACK is written.
        session.filters.add(wish.topic)
        done(null, wish)
      } else {
        refuse(session, wish.topic, wish.qos > 1 ? 'subscribe-qos-2' : 'subscribe-denied')
        done(null, null)
      }
    },

    authorizeForward: <Packet extends PublishPacket>(client: Client, packet: Packet): Packet | null => {
      if (sessionOf(client)?.acl.receive(packet.topic) !== true) return null
      tally.delivered += 1
      return packet
    },

    /** Closes the connection after a denial. aedes calls this after it wrote the SUBACK; `setImmediate` lets that leave first. */
    closeDenied: (subscriptions: readonly Subscription[], client: Client): void => {
      // aedes' types list only the QoS that a client can request; this is the granted one.
      const granted: readonly { qos: number }[] = subscriptions
      if (!granted.some(({ qos }) => qos === deniedSubscription)) return
      const session = sessionOf(client)
      if (session !== null) setImmediate(() => session.stream.hangUp())
    },

    unsubscribed: (filters: readonly string[], client: Client): void => {
      for (const filter of filters) sessionOf(client)?.filters.delete(filter)
    }
  }
}
