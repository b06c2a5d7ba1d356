import type { Model } from 'mongoose'
import type { Clock } from '@batti/kit/clock'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { loadTogether } from '../../platform/store/batches/load-together.ts'
import type { BoardRecords } from './board-records.ts'
import type { BookedBoard, FleetBook } from './fleet-book.ts'
import type { FleetModels } from './fleet.models.ts'
import { noFacts } from './judge-board.ts'
import { createStoredBoards } from './stored-boards.ts'

/** Several instances may notice the same event, one a moment after the other. */
export const momentMs = 2000

/** Adds boards to the book as they are stored. */
export function createBoardLoading(deps: {
  models: FleetModels & { devices: Model<DeviceDocument> }
  book: FleetBook
  records: Pick<BoardRecords, 'forget' | 'commandsOf'>
  clock: Clock
}) {
  const { book, records } = deps
  const stored = createStoredBoards(deps)
  // Recent events are counted here already, and another instance may have stored them as well.
  const readTogether = loadTogether<BookedBoard>((ids) => stored.read(ids, momentMs))
  /** Boards that still have to be read, because the database may be down. */
  const unread = new Set<string>()

  /** Adds a board again, after it was created or changed its owner. */
  async function load(id: string): Promise<void> {
    unread.add(id)
    const found = await readTogether(id)
    unread.delete(id)
    // A restart would count the former owner's again.
    records.commandsOf(id, 0)
    if (found === null) {
      book.forget(id)
      records.forget(id)
      return
    }
    const before = book.get(id)
    book.put(
      id,
      before === undefined ? { ...found, unanswered: 0 } : { ...found, ...noFacts(), ...heardSince(before, found) }
    )
  }

  return {
    load,
    /** Adds a board that this process does not know yet, unless another message has added it meanwhile. */
    async loadMissing(id: string): Promise<void> {
      const found = await readTogether(id)
      if (found !== null && book.get(id) === undefined) book.put(id, found)
    },
    /** Retries boards that could not be read when an event concerned them: nothing else would. */
    async loadUnread(): Promise<void> {
      await Promise.all([...unread].map(load))
    },
    /** Adds every board, with its counts of the last hour. */
    async loadAll(): Promise<void> {
      for await (const page of stored.unknown((id) => book.get(id) !== undefined)) {
        // A board that reported meanwhile was added already.
        for (const [id, board] of page) if (book.get(id) === undefined) book.put(id, board)
      }
    }
  }
}

/** Keeps what was received of a board, because it may not be stored yet. */
function heardSince(heard: BookedBoard, stored: BookedBoard): Partial<BookedBoard> {
  const { connections, isOnline, isSeen, onlineChangedAt, bootId } = heard
  return onlineChangedAt < stored.onlineChangedAt
    ? { connections }
    : { connections, isOnline, isSeen: isSeen || stored.isSeen, onlineChangedAt, bootId }
}
