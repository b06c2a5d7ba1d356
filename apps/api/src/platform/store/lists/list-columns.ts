import type { Types } from 'mongoose'

/**
 * Denormalized columns for sorting and searching lists: an owner's name beside a board, a board's name beside its
 * switches, the number of somebody's boards. Call these functions in the same transaction as the change of the source.
 */
export interface ListColumns {
  /** Boards were added or changed, or changed their owner or room; `was`: their previous owner and room. */
  boardsChanged(which: WhichBoards, was?: readonly BoardPlace[]): Promise<void>
  /** The number of things that these people have has changed. */
  homesChanged(userIds: readonly string[]): Promise<void>
  /** Resolves when the columns include the latest reports of boards; with false where that takes too long, as on a full disk. */
  settled(): Promise<boolean>
}

type Id = Types.ObjectId | string | null

export type WhichBoards = { ids: readonly Id[] } | { userId: string } | { setRoom: string }

export interface BoardPlace {
  userId: Id
  setRoom: Id
}
