import { healthReasons, type FleetChangedEvent, type HealthReason } from '@batti/contracts'
import { doubtTimeAhead, judgeBoard, type BoardFacts } from './judge-board.ts'

export interface BookedBoard extends BoardFacts {
  bootId: string
  reasons: readonly HealthReason[]
  /** Since when each reason holds, in milliseconds. */
  since: Partial<Record<HealthReason, number>>
}

export interface HealthChange {
  id: string
  reasons: readonly HealthReason[]
  since: Partial<Record<HealthReason, number>>
}

export interface FleetFigures extends FleetChangedEvent {
  boards: number
  neverSeen: number
  weakSignal: number
  outdated: number
  versions: { hwModel: string; osVersion: string; count: number }[]
}

/** A summary of every board in memory, so that counts need no database scan. */
export function createFleetBook(options: {
  silentMs: number
  /** Undefined while it is not known: then the last verdict stays. */
  isOutdated(board: Pick<BoardFacts, 'hwModel' | 'osVersion'>): boolean | undefined
}) {
  const boards = new Map<string, BookedBoard>()
  const count: Record<HealthReason, number> = {
    silent: 0,
    failing: 0,
    flapping: 0,
    weak: 0,
    outdated: 0,
    'never-seen': 0
  }
  const versions = new Map<string, { hwModel: string; osVersion: string; count: number }>()
  let online = 0

  function tally({ isOnline, reasons, hwModel, osVersion }: BookedBoard, by: 1 | -1): void {
    if (isOnline) online += by
    for (const reason of reasons) count[reason] += by
    const key = `${hwModel}\n${osVersion}`
    const version = versions.get(key) ?? { hwModel, osVersion, count: 0 }
    version.count += by
    if (version.count === 0) versions.delete(key)
    else versions.set(key, version)
  }

  /** Returns the change of a board's health, null if there is none. */
  function judge(id: string, board: BookedBoard, now: number): HealthChange | null {
    doubtTimeAhead(board, now)
    const isOutdated = options.isOutdated(board) ?? board.reasons.includes('outdated')
    const reasons = judgeBoard(board, { now, silentMs: options.silentMs, isOutdated })
    if (reasons.length === board.reasons.length && reasons.every((reason) => board.reasons.includes(reason)))
      return null
    board.since = Object.fromEntries(reasons.map((reason) => [reason, board.since[reason] ?? now]))
    board.reasons = reasons
    return { id, reasons, since: board.since }
  }

  /** Every change of a board passes here and updates the totals, so that nothing is counted on request. */
  function counted(board: BookedBoard, change: () => HealthChange | null): HealthChange | null {
    tally(board, -1)
    try {
      return change()
    } finally {
      tally(board, 1)
    }
  }

  function forget(id: string): void {
    const board = boards.get(id)
    if (board !== undefined) tally(board, -1)
    boards.delete(id)
  }

  return {
    get: (id: string): Readonly<BookedBoard> | undefined => boards.get(id),
    put(id: string, board: BookedBoard): void {
      forget(id)
      boards.set(id, board)
      tally(board, 1)
    },
    forget,
    /** Applies an event to a board and judges it; null if its health is unchanged. */
    note(id: string, now: number, note: (board: BookedBoard) => void = () => undefined): HealthChange | null {
      const board = boards.get(id)
      if (board === undefined) return null
      return counted(board, () => {
        note(board)
        return judge(id, board, now)
      })
    },
    /** Needed periodically, because reasons also come and go with time. */
    judgeAll: (now: number, isMeant: (board: BookedBoard) => boolean = () => true): HealthChange[] =>
      [...boards].flatMap(([id, board]) => (isMeant(board) ? (counted(board, () => judge(id, board, now)) ?? []) : [])),
    figures: (): FleetFigures => ({
      boards: boards.size,
      online,
      offline: boards.size - online - count['never-seen'],
      neverSeen: count['never-seen'],
      weakSignal: count.weak,
      flapping: count.flapping,
      silent: count.silent,
      failing: count.failing,
      outdated: count.outdated,
      versions: [...versions.values()]
        .map((version) => ({ ...version }))
        .toSorted((one, other) => other.count - one.count)
    })
  }
}
export type FleetBook = ReturnType<typeof createFleetBook>

/** Returns the heaviest of several reasons. */
export const heaviestOf = (reasons: readonly HealthReason[]): HealthReason | undefined =>
  healthReasons.find((reason) => reasons.includes(reason))
