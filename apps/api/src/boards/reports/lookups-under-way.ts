import { waitingMax } from '../../platform/http/limits/fair-share.ts'
import type { LiveDevice } from '../registry/live-device.ts'

export type OwnedBoard = Pick<LiveDevice, 'id' | 'userId'>

/** Whose turn a lookup takes: the account's, or the board's own if nobody owns it. */
export const ownerOf = ({ id, userId }: OwnedBoard): string => userId ?? id

/** Reports that are being looked up in the database, by name. Those of one account have limited room. */
export function createLookupsUnderWay() {
  const byName = new Map<string, Promise<void>>()
  const counts = new Map<string, number>()

  function leave(name: string, owner: string): void {
    byName.delete(name)
    const left = (counts.get(owner) ?? 0) - 1
    if (left > 0) counts.set(owner, left)
    else counts.delete(owner)
  }

  return {
    of: (name: string): Promise<void> | undefined => byName.get(name),
    hasRoom: (board: OwnedBoard): boolean => (counts.get(ownerOf(board)) ?? 0) < waitingMax,
    add(name: string, board: OwnedBoard, lookup: Promise<void>): void {
      const owner = ownerOf(board)
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
      byName.set(
        name,
        lookup.finally(() => leave(name, owner))
      )
    }
  }
}
