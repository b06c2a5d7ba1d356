import type { DeviceLinkOptions } from '@batti/api/boards/link/link-options'
import type { Broker } from '@batti/broker/compose'
import { allUpFilter } from '@batti/contracts'

type OpenLink = DeviceLinkOptions['openLink']
type BrokerInside = Pick<Broker, 'join'>

/**
 * The api's way to a broker in its own process: calls in place of TLS and MQTT. A link is up from the moment that there is a
 * broker, until either of them stops.
 */
export function createLinkInside(options: {
  /** A message passed, either way. */
  onPassed(): void
}): {
  openLink: OpenLink
  /** The broker is there: links that wait for it are up. */
  brokerIsUp(broker: BrokerInside): void
} {
  const { onPassed } = options
  let broker: BrokerInside | null = null
  const waiting = new Set<() => void>()

  return {
    openLink({ onMessage, onUp }) {
      let inside: ReturnType<BrokerInside['join']> | null = null
      function join(): void {
        if (broker === null) return
        inside = broker.join(allUpFilter, (topic, payload) => {
          onPassed()
          onMessage(topic, payload)
        })
        onUp()
      }
      if (broker === null) waiting.add(join)
      else join()
      return {
        // No other api is there to reach it.
        name: 'home',
        isUp: () => inside !== null,
        publish(topic, payload) {
          if (inside === null) return false
          onPassed()
          inside.publish(topic, payload)
          return true
        },
        async stop() {
          waiting.delete(join)
          inside?.leave()
          inside = null
        }
      }
    },
    brokerIsUp(started) {
      broker = started
      for (const join of waiting) join()
      waiting.clear()
    }
  }
}
