import type { BoardsRepository } from './boards.repository.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import type { ImageSource } from './engine/send-firmware.ts'
import type { TargetsRepository } from './targets/targets.repository.ts'

/** Returns whether an active rollout sends that file, or still may: as its own image, or as an intermediate version. */
export function createFilesInUse(deps: {
  rollouts: Pick<RolloutsRepository, 'findActiveImages'>
  targets: Pick<TargetsRepository, 'hasToSend' | 'isUnderWay' | 'openIds'>
  boards: Pick<BoardsRepository, 'findByIds'>
  images: Pick<ImageSource, 'nextImage'>
}) {
  const { rollouts, targets, boards, images } = deps

  async function isStepTowards(fileId: string, wanted: string, board: { hwModel: string; osVersion: string }) {
    let { osVersion } = board
    for (;;) {
      const next = await images.nextImage(wanted, { ...board, osVersion })
      if (typeof next === 'string' || String(next._id) === wanted) return false
      if (String(next._id) === fileId) return true
      osVersion = next.version
    }
  }

  return async function isFileInUse(fileId: string): Promise<boolean> {
    if (await targets.isUnderWay(fileId)) return true
    for (const rollout of await rollouts.findActiveImages()) {
      // A paused rollout may be retried; a running one ends with the last of its boards.
      if (rollout.state === 'running' && !rollout.follow && !(await targets.hasToSend(rollout))) continue
      const { _id, fileId: image } = rollout
      const wanted = String(image)
      if (wanted === fileId) return true
      const open = await boards.findByIds(await targets.openIds(_id))
      const kinds = new Map(open.map((board) => [`${board.hwModel} ${board.osVersion}`, board]))
      for (const board of kinds.values()) if (await isStepTowards(fileId, wanted, board)) return true
    }
    return false
  }
}
