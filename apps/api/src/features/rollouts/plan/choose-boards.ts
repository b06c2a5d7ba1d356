import { compareVersions, excludedReasons, type ExcludedCount, type ExcludedReason } from '@batti/contracts'
import type { Board } from '../boards.repository.ts'

/** An image and its requirements; `refusalOf` and `isReachable` are rules of the firmware feature. */
export interface WantedImage {
  version: string
  /** Why that board may not get the image at all; null if it may. */
  refusalOf(board: Board): ExcludedReason | null
  /** Whether the board can get to the image, directly or through an intermediate version. */
  isReachable(board: Board): boolean
}

export interface Choice {
  chosen: Board[]
  excluded: ExcludedCount[]
}

/** Divides boards into those that a rollout takes and the reasons for the others; the first applicable reason counts. */
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

/** Settings go to any board without another rollout. */
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
