import { z } from 'zod'
import type { Cluster } from '../../platform/cluster/cluster.ts'

/** Drops what is known of instances that are not heard any more. */
export function forgetGone(byInstance: Map<string, unknown>, cluster: Pick<Cluster, 'others'>): void {
  const others = cluster.others()
  for (const name of byInstance.keys()) if (!others.includes(name)) byInstance.delete(name)
}

/** What each instance keeps telling of itself it tells anew when another may have missed some of it. */
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
