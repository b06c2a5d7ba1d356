import { z } from 'zod'
import type { Cluster } from '../../../platform/cluster/cluster.ts'

const messageKind = 'board-locked'
const boardLocked = z.object({ deviceId: z.string(), isIt: z.boolean() })

/** The boards between two versions, as known here: no command is sent to them. Other instances are told of each change. */
export function createLockedBoards(cluster: Pick<Cluster, 'on' | 'publish'>) {
  const locked = new Set<string>()
  /** What was locked and unlocked while the stored list was read, which may be older. */
  const meanwhile = new Map<string, boolean>()

  function note(deviceId: string, isIt: boolean): void {
    meanwhile.set(deviceId, isIt)
    if (isIt) locked.add(deviceId)
    else locked.delete(deviceId)
  }
  cluster.on(messageKind, boardLocked, ({ deviceId, isIt }) => note(deviceId, isIt))

  return {
    lock(deviceId: string, isIt: boolean): void {
      if (locked.has(deviceId) !== isIt) cluster.publish(messageKind, { deviceId, isIt })
      note(deviceId, isIt)
    },
    isLocked: (deviceId: string): boolean => locked.has(deviceId),
    /** Replaces the list by what is stored. */
    async load(readStored: () => Promise<readonly string[]>): Promise<void> {
      meanwhile.clear()
      const stored = await readStored()
      locked.clear()
      for (const id of stored) locked.add(id)
      for (const [id, isIt] of meanwhile) note(id, isIt)
    }
  }
}
export type LockedBoards = ReturnType<typeof createLockedBoards>
