import { chooseForImage } from './choose-boards.ts'
import type { RolloutMaker } from './make-rollouts.ts'
import type { RolloutDocument } from './rollout.model.ts'
import type { RolloutsOptions } from './rollouts.service.ts'

/** Takes boards into a rollout that is there: those that its filter did not find when it was made. */
export function createAddLateBoards(options: RolloutsOptions, { busyOf }: Pick<RolloutMaker, 'busyOf'>) {
  const { rollouts, targets, boards, now } = options

  /**
   * Boards that the filter finds by now, and that nothing else holds, join the last stage.
   * @throws AppError NOT_FOUND when its image is gone.
   */
  return async function addLateBoards(rollout: RolloutDocument): Promise<void> {
    if (rollout.filter === null || rollout.fileName === null) return
    const id = String(rollout._id)
    const [found, known] = await Promise.all([boards.findByFilter(rollout.filter), targets.allIds(id)])
    const isKnown = new Set(known)
    const late = found.filter(({ _id }) => !isKnown.has(String(_id)))
    if (late.length === 0) return
    const image = await options.findImage(rollout.fileName)
    const stage = rollout.stages.length - 1
    await options.inTransaction(async () => {
      const { chosen } = chooseForImage(late, image, { busy: await busyOf(late), now: now() })
      if (chosen.length === 0) return
      const rows = chosen.map(({ _id, deviceMac }) => ({ deviceId: String(_id), deviceMac, stage, isSingle: false }))
      await targets.insert(id, rows, options.newJobId, new Date(now()))
      await rollouts.change(id, ['running'], {
        $inc: { rev: 1, total: rows.length, [`stages.${stage}.total`]: rows.length }
      })
    })
  }
}
