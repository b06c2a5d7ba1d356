import type { Clock } from '@batti/kit/clock'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import { createActiveCallers } from './active-callers.ts'
import { createIntroductions } from './introductions.ts'
import { createPeerLinks } from './peer-links.ts'
import { createPeerPublisher } from './peer-publisher.ts'
import { createShownBoards } from './shown-boards.ts'

/** Connects this instance with the others: what it tells them of boards, who waits for it there, and by which link. */
export function createPeers(deps: {
  cluster: Cluster
  clock: Clock
  /** Whether boards' messages are currently split among instances. */
  isSplit(): boolean
  downlink: { name(): string | null; publishToPeer(name: string, text: string): boolean }
}) {
  const { cluster, clock, isSplit, downlink } = deps
  const announceAnew = createIntroductions(cluster)
  const shown = createShownBoards({ cluster, announceAnew })
  const callers = createActiveCallers({ cluster, clock, isSplit, announceAnew })
  const links = createPeerLinks({ cluster, announceAnew, ownName: downlink.name, publish: downlink.publishToPeer })
  return {
    ...createPeerPublisher({ cluster, shown, callers, links, isSplit, clock }),
    /** Call when this instance's connection to the broker has gone up or down. */
    linkTurned: links.turned,
    noteShown: shown.note,
    catchUp: callers.catchUp
  }
}
