import type { Aedes, AedesPublishPacket } from 'aedes'

/** A client that lives in the broker's own process: whoever composes both parts trusts it, and no rules are asked. */
export interface InsideClient {
  /** At QoS 0, to whoever has subscribed. */
  publish(topic: string, payload: string): void
  leave(): void
}

/** Joins a client without a connection, which hears each message of `filter`, wills among them, in order. */
export function joinInside(
  aedes: Pick<Aedes, 'publish' | 'subscribe' | 'unsubscribe'>,
  filter: string,
  onMessage: (topic: string, payload: Buffer) => void
): InsideClient {
  let isHere = true
  const hear = ({ topic, payload }: AedesPublishPacket, done: () => void): void => {
    done()
    if (isHere) onMessage(topic, typeof payload === 'string' ? Buffer.from(payload) : payload)
  }
  const nothing = (): void => undefined
  aedes.subscribe(filter, hear, nothing)
  return {
    publish(topic, payload) {
      aedes.publish(
        { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 0, retain: false, dup: false },
        nothing
      )
    },
    leave() {
      isHere = false
      aedes.unsubscribe(filter, hear, nothing)
    }
  }
}
