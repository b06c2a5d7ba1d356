import type { Cluster } from '../../platform/cluster/cluster.ts'
import { forgetGone } from './introductions.ts'
import { linkStands } from './peer-messages.ts'

/** A broker closes the connection for a packet of 16 KiB; what is longer than half of it goes through the cluster. */
const longest = 8192

/**
 * Ways from one instance to another through the broker: what has come from there goes on without waking anything but the
 * connection that it came by.
 */
export interface PeerLinks {
  /** The connection of this instance has come or gone. */
  turned(): void
  /** False where that instance cannot be reached so. */
  send(instance: string, payload: unknown): boolean
}

export function createPeerLinks(deps: {
  cluster: Cluster
  /** Of this instance; null while it has no connection. */
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
    forgetGone(names, cluster)
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
