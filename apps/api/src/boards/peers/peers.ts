import type { Clock } from '@batti/kit/clock'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import { createActiveCallers } from './active-callers.ts'
import { createIntroductions } from './introductions.ts'
import { createPeerLinks } from './peer-links.ts'
import { createPeerVoice } from './peer-voice.ts'
import { createShownBoards } from './shown-boards.ts'

/** What this instance tells others of boards, who there waits for it, and the ways it takes. */
export function createPeers(deps: {
  cluster: Cluster
  clock: Clock
  /** Whether boards' messages are split among instances now. */
  isSplit(): boolean
  downlink: { name(): string | null; publishToPeer(name: string, text: string): boolean }
}) {
  const { cluster, clock, isSplit, downlink } = deps
  const announceAnew = createIntroductions(cluster)
  const shown = createShownBoards({ cluster, announceAnew })
  const callers = createActiveCallers({ cluster, clock, isSplit, announceAnew })
  const links = createPeerLinks({ cluster, announceAnew, ownName: downlink.name, publish: downlink.publishToPeer })
  return {
    ...createPeerVoice({ cluster, shown, callers, links, isSplit, now: clock.now }),
    /** The connection of this instance to the broker has come or gone. */
    linkTurned: links.turned,
    noteShown: shown.note,
    catchUp: callers.catchUp
  }
}
