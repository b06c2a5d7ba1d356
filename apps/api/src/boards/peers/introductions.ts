import { z } from 'zod'
import type { Cluster } from '../../platform/cluster/cluster.ts'

/** Removes entries of instances that are no longer heard. */
export function removeGoneInstances(byInstance: Map<string, unknown>, cluster: Pick<Cluster, 'others'>): void {
  const others = cluster.others()
  for (const name of byInstance.keys()) if (!others.includes(name)) byInstance.delete(name)
}

/** Registers functions that announce an instance's state again, and calls them when another instance may have missed messages. */
export function createIntroductions(cluster: Cluster): (announceAnew: () => void) => void {
  const announcers: (() => void)[] = []
  function introduce(): void {
    for (const announceAnew of announcers) announceAnew()
  }
  cluster.on('introductions-asked', z.object({}), introduce)
  cluster.onMissed(() => {
    introduce()
    cluster.publish('introductions-asked', {})
  })
  return (announceAnew) => void announcers.push(announceAnew)
}
