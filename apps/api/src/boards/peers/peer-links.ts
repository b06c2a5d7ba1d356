import type { Cluster } from '../../platform/cluster/cluster.ts'
import { removeGoneInstances } from './introductions.ts'
import { linkStands } from './peer-messages.ts'

/** A broker closes the connection at a packet of 16 KiB, so payloads longer than half of that go through the cluster. */
const longest = 8192

/**
 * Links between instances through the broker. A forwarded message arrives on the connection that is awake already, and
 * wakes no other.
 */
export interface PeerLinks {
  /** Call when the connection of this instance has gone up or down. */
  turned(): void
  /** Returns false where that instance cannot be reached through the broker. */
  send(instance: string, payload: unknown): boolean
}

export function createPeerLinks(deps: {
  cluster: Cluster
  /** The name of this instance; null while it has no connection. */
  ownName(): string | null
  publish(name: string, text: string): boolean
  announceAnew(announce: () => void): void
}): PeerLinks {
  const { cluster } = deps
  const names = new Map<string, string>()

  const announceMine = (): void => cluster.publish('link-stands', { instance: cluster.instance, name: deps.ownName() })
  deps.announceAnew(announceMine)
  cluster.on('link-stands', linkStands, ({ instance, name }) => {
    if (name === null) names.delete(instance)
    else names.set(instance, name)
    removeGoneInstances(names, cluster)
  })

  return {
    turned: announceMine,
    send(instance, payload) {
      const name = names.get(instance)
      if (name === undefined) return false
      const text = JSON.stringify(payload)
      return text.length <= longest && deps.publish(name, text)
    }
  }
}
