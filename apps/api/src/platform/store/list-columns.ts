import type { Types } from 'mongoose'

/**
 * Columns that lists are sorted and searched by and that other records hold: an owner's name beside a board, a board's
 * name beside its switches, how many boards somebody has. Whoever changes what they are made of says so here, in the
 * same transaction.
 */
export interface ListColumns {
  /** Boards came, changed, or changed hands or rooms; `was`: whose, and where they were before. */
  boardsChanged(which: WhichBoards, was?: readonly BoardPlace[]): Promise<void>
  /** What these people have became more or less. */
  homesChanged(userIds: readonly string[]): Promise<void>
  /** Resolves when what boards said last is in them, too. */
  settled(): Promise<void>
  /** Other boards stand in these rooms, or the same went online or offline. */
  roomsChanged(roomIds: readonly string[]): Promise<void>
}

type Id = Types.ObjectId | string | null

export type WhichBoards = { ids: readonly Id[] } | { userId: string } | { setRoom: string }

export interface BoardPlace {
  userId: Id
  setRoom: Id
}
