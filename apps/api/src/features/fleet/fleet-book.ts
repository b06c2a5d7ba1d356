import { healthReasons, type FleetChangedEvent, type HealthReason } from '@batti/contracts'
import { judgeBoard, type BoardFacts } from './judge-board.ts'

export interface BookedBoard extends BoardFacts {
  bootId: string
  reasons: readonly HealthReason[]
  /** Since when each reason holds, milliseconds. */
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

/** Every board in a few words, in memory: counted from, and never scanned for in the database. */
export function createFleetBook(options: {
  silentMs: number
  isOutdated(board: Pick<BoardFacts, 'hwModel' | 'osVersion'>): boolean
}) {
  const boards = new Map<string, BookedBoard>()

  /** What has changed of a board's health, null when nothing has. */
  function judge(id: string, board: BookedBoard, now: number): HealthChange | null {
    const reasons = judgeBoard(board, { now, silentMs: options.silentMs, isOutdated: options.isOutdated(board) })
    if (reasons.length === board.reasons.length && reasons.every((reason) => board.reasons.includes(reason)))
      return null
    board.since = Object.fromEntries(reasons.map((reason) => [reason, board.since[reason] ?? now]))
    board.reasons = reasons
    return { id, reasons, since: board.since }
  }

  return {
    get: (id: string): BookedBoard | undefined => boards.get(id),
    put: (id: string, board: BookedBoard): void => void boards.set(id, board),
    forget: (id: string): boolean => boards.delete(id),
    judge: (id: string, now: number): HealthChange | null => {
      const board = boards.get(id)
      return board === undefined ? null : judge(id, board, now)
    },
    /** Reasons come and go with time alone, too. */
    judgeAll: (now: number): HealthChange[] => [...boards].flatMap(([id, board]) => judge(id, board, now) ?? []),
    figures(): FleetFigures {
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
      for (const { isOnline, reasons, hwModel, osVersion } of boards.values()) {
        if (isOnline) online += 1
        for (const reason of reasons) count[reason] += 1
        const key = `${hwModel}\n${osVersion}`
        const known = versions.get(key)
        if (known === undefined) versions.set(key, { hwModel, osVersion, count: 1 })
        else known.count += 1
      }
      return {
        boards: boards.size,
        online,
        offline: boards.size - online - count['never-seen'],
        neverSeen: count['never-seen'],
        weakSignal: count.weak,
        flapping: count.flapping,
        silent: count.silent,
        failing: count.failing,
        outdated: count.outdated,
        versions: [...versions.values()].toSorted((a, b) => b.count - a.count)
      }
    }
  }
}
export type FleetBook = ReturnType<typeof createFleetBook>

/** The heaviest of several reasons. */
export const heaviestOf = (reasons: readonly HealthReason[]): HealthReason | undefined =>
  healthReasons.find((reason) => reasons.includes(reason))
