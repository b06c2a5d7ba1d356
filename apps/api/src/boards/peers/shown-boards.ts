import type { Cluster } from '../../platform/cluster/cluster.ts'
import { removeGoneInstances } from './introductions.ts'
import { boardsShown, type BoardsShown } from './peer-messages.ts'

/** The MACs of boards on screens, of this instance and of others. */
export interface ShownBoards {
  /** Notes whether a screen of this instance shows a board. */
  note(mac: string, isShown: boolean): void
  /** As far as others have announced; a screen opened at this moment may be missing. */
  isShownElsewhere(mac: string): boolean
}

/** Shares which boards are on screens, so that instances forward changes at once only where somebody is watching. */
export function createShownBoards(deps: { cluster: Cluster; announceAnew(announce: () => void): void }): ShownBoards {
  const { cluster } = deps
  const { instance } = cluster
  const here = new Set<string>()
  const elsewhere = new Map<string, Set<string>>()
  /** Changes that have not been published yet. */
  let changed = new Map<string, boolean>()

  function publish({ shown, hidden = [], isWhole = false }: Partial<BoardsShown> & Pick<BoardsShown, 'shown'>): void {
    cluster.publish('boards-shown', { instance, shown, hidden, isWhole } satisfies BoardsShown)
  }

  function publishChanges(): void {
    const all = [...changed]
    changed = new Map()
    const which = (is: boolean): string[] => all.flatMap(([mac, isShown]) => (isShown === is ? [mac] : []))
    publish({ shown: which(true), hidden: which(false) })
  }

  deps.announceAnew(() => publish({ shown: [...here], isWhole: true }))
  cluster.on('boards-shown', boardsShown, (message) => {
    const known = message.isWhole ? undefined : elsewhere.get(message.instance)
    const boards = known ?? new Set()
    for (const mac of message.shown) boards.add(mac)
    for (const mac of message.hidden) boards.delete(mac)
    elsewhere.set(message.instance, boards)
    removeGoneInstances(elsewhere, cluster)
  })

  return {
    note(mac, isShown) {
      if (isShown) here.add(mac)
      else here.delete(mac)
      if (changed.size === 0) setImmediate(publishChanges)
      changed.set(mac, isShown)
    },
    isShownElsewhere(mac) {
      for (const boards of elsewhere.values()) if (boards.has(mac)) return true
      return false
    }
  }
}
