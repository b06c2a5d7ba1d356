import type { Aedes, AedesPublishPacket } from 'aedes'
import type { createDownDelivery } from './deliver-down.ts'

/** A client in the broker's own process. It is trusted: no access rules apply to it. */
export interface InProcessClient {
  /** Publishes at QoS 0. */
  publish(topic: string, payload: string): void
  leave(): void
}

/** Subscribes to `filter` without a connection. `onMessage` gets each message in order, wills included. */
export function joinInProcess(
  aedes: Pick<Aedes, 'publish' | 'subscribe' | 'unsubscribe'>,
  deliverDown: ReturnType<typeof createDownDelivery>,
  filter: string,
  onMessage: (topic: string, payload: Buffer) => void
): InProcessClient {
  let isHere = true
  const hear = ({ topic, payload }: AedesPublishPacket, done: () => void): void => {
    done()
    if (isHere) onMessage(topic, typeof payload === 'string' ? Buffer.from(payload) : payload)
  }
  const nothing = (): void => undefined
  aedes.subscribe(filter, hear, nothing)
  return {
    publish(topic, payload) {
      if (deliverDown(topic, payload)) return
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
