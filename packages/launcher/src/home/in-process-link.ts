import type { DeviceLinkOptions } from '@batti/api/boards/link/link-options'
import type { Broker } from '@batti/broker/compose'
import { allUpFilter } from '@batti/contracts'

type OpenLink = DeviceLinkOptions['openLink']
type InProcessBroker = Pick<Broker, 'join'>

/**
 * Links the api to a broker in the same process by function calls instead of TLS and MQTT. A link is up from the start of
 * the broker until the link stops.
 */
export function createInProcessLink(options: {
  /** Called for each message in either direction. */
  onPassed(): void
}): {
  openLink: OpenLink
  /** Connects the links that wait for the broker. */
  brokerIsUp(broker: InProcessBroker): void
} {
  const { onPassed } = options
  let broker: InProcessBroker | null = null
  const waiting = new Set<() => void>()

  return {
    openLink({ onMessage, onUp }) {
      let client: ReturnType<InProcessBroker['join']> | null = null
      function join(): void {
        if (broker === null) return
        client = broker.join(allUpFilter, (topic, payload) => {
          onPassed()
          onMessage(topic, payload)
        })
        onUp()
      }
      if (broker === null) waiting.add(join)
      else join()
      return {
        // Any name will do: there is no other api instance.
        name: 'home',
        isUp: () => client !== null,
        publish(topic, payload) {
          if (client === null) return false
          onPassed()
          client.publish(topic, payload)
          return true
        },
        async stop() {
          waiting.delete(join)
          client?.leave()
          client = null
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
