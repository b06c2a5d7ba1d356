import type { BoardsRepository } from './boards.repository.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import type { ImageSource } from './send-firmware.ts'
import type { TargetsRepository } from './targets.repository.ts'

/** Whether a rollout under way sends that file: as its own image, or as a step on the way of a board to it. */
export function createFilesInUse(deps: {
  rollouts: Pick<RolloutsRepository, 'findActiveImages'>
  targets: Pick<TargetsRepository, 'isInHand' | 'openIds'>
  boards: Pick<BoardsRepository, 'findByIds'>
  images: Pick<ImageSource, 'nextImage'>
}) {
  const { rollouts, targets, boards, images } = deps

  async function leadsBy(fileId: string, wanted: string, board: { hwModel: string; osVersion: string }) {
    let { osVersion } = board
    for (;;) {
      const next = await images.nextImage(wanted, { ...board, osVersion })
      if (next === null || String(next._id) === wanted) return false
      if (String(next._id) === fileId) return true
      osVersion = next.version
    }
  }

  return async function isFileInUse(fileId: string): Promise<boolean> {
    if (await targets.isInHand(fileId)) return true
    for (const { _id, fileId: image } of await rollouts.findActiveImages()) {
      const wanted = String(image)
      if (wanted === fileId) return true
      const open = await boards.findByIds(await targets.openIds(_id))
      const kinds = new Map(open.map((board) => [`${board.hwModel} ${board.osVersion}`, board]))
      for (const board of kinds.values()) if (await leadsBy(fileId, wanted, board)) return true
    }
    return false
  }
}
