import type { Client, PublishPacket, Subscription } from 'aedes'
import { BoardStream } from './board-stream.ts'
import type { Tally } from './metrics.ts'
import type { Refusals } from './refusals.ts'
import type { Session } from './sessions.ts'

/** The granted QoS that says "denied". MQTT 3.1.1 §3.9.3. */
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
 * What an authenticated client may do, in the shape of aedes' hooks. These run for every message: no allocation on the way of
 * what is allowed. An error closes the connection.
 */
export function createMqttRules({ refusals, tally, stopping }: MqttRulesDeps) {
  function refuse(session: Session, topic: string, reason: string): Error {
    const { clientId: clientid, username, peerhost } = session
    refusals.note({ clientid, username, peerhost, topic, reason })
    return new Error(reason)
  }

  function mayPublishWill(session: Session, topic: string): boolean {
    // A stop of ours is no loss of theirs: they are back in seconds.
    if (stopping()) return false
    // The board is here again, on a newer connection: aedes publishes the will of an older one that died before it was taken
    // over, and "offline" would come after its "online".
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
     * Null makes aedes answer 128 in its own SUBACK, which an error would not; `closeDenied` then ends the connection. What was
     * denied by null aedes remembers all the same for a session that is not clean, and subscribes to it when that comes back:
     * here sessions are clean, and `authorizeForward` asks the same rules.
     */
    authorizeSubscribe: (
      client: Client,
      wish: Subscription,
      done: (error: Error | null, granted?: Subscription | null) => void
    ): void => {
      const session = sessionOf(client)
      if (session === null) done(new Error('nobody subscribes'))
      else if (wish.qos <= 1 && session.acl.subscribe(wish.topic)) done(null, wish)
      else {
        refuse(session, wish.topic, wish.qos > 1 ? 'subscribe-qos-2' : 'subscribe-denied')
        done(null, null)
      }
    },

    authorizeForward: <Packet extends PublishPacket>(client: Client, packet: Packet): Packet | null => {
      if (sessionOf(client)?.acl.receive(packet.topic) !== true) return null
      tally.delivered += 1
      return packet
    },

    /** aedes tells the outcome after it wrote the SUBACK; the next turn of the loop, it is on its way. */
    closeDenied: (subscriptions: readonly Subscription[], client: Client): void => {
      // The types know the QoS that can be asked for; this is the one that was granted.
      const granted: readonly { qos: number }[] = subscriptions
      if (!granted.some(({ qos }) => qos === deniedSubscription)) return
      const session = sessionOf(client)
      if (session !== null) setImmediate(() => session.stream.hangUp())
    }
  }
}
