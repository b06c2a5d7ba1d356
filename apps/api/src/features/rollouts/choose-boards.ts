import { compareVersions, excludedReasons, type ExcludedCount, type ExcludedReason } from '@batti/contracts'
import type { Board } from './boards.repository.ts'

/** What an image asks of a board; `refusal` and `leads` are the firmware feature's own rules. */
export interface WantedImage {
  version: string
  /** Why that board may not take it at all. */
  refusalOf(board: Board): ExcludedReason | null
  /** Whether there is a way to it, directly or by a step. */
  isReachable(board: Board): boolean
}

export interface Choice {
  chosen: Board[]
  excluded: ExcludedCount[]
}

/** Sorts boards into those that a rollout takes, and reasons for the others, each board under the first that fits. */
export function chooseForImage(
  boards: readonly Board[],
  image: WantedImage,
  context: { busy: ReadonlySet<string>; now: number }
): Choice {
  return choose(boards, (board) => {
    const refusal = image.refusalOf(board)
    if (refusal === 'wrong-model') return refusal
    if (compareVersions(board.osVersion, image.version) >= 0) return 'up-to-date'
    if (refusal !== null) return refusal
    if (isPinned(board, context.now)) return 'pinned'
    if (context.busy.has(String(board._id))) return 'busy'
    return image.isReachable(board) ? null : 'needs-step'
  })
}

/** Settings go to any board that nothing else is being done to. */
export const chooseForSettings = (boards: readonly Board[], busy: ReadonlySet<string>): Choice =>
  choose(boards, (board) => (busy.has(String(board._id)) ? 'busy' : null))

export function isPinned({ pinnedVersion }: Pick<Board, 'pinnedVersion'>, now: number): boolean {
  if (pinnedVersion === null || pinnedVersion === undefined) return false
  return pinnedVersion.endsAt === null || pinnedVersion.endsAt.getTime() > now
}

function choose(boards: readonly Board[], reasonOf: (board: Board) => ExcludedReason | null): Choice {
  const chosen: Board[] = []
  const counts = new Map<ExcludedReason, number>()
  for (const board of boards) {
    const reason = reasonOf(board)
    if (reason === null) chosen.push(board)
    else counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return {
    chosen,
    excluded: excludedReasons.flatMap((reason) => {
      const count = counts.get(reason)
      return count === undefined ? [] : [{ reason, count }]
    })
  }
}
