import { chooseForImage } from './choose-boards.ts'
import type { RolloutMaker } from './make-rollouts.ts'
import type { RolloutDocument } from './rollout.model.ts'
import type { RolloutsOptions } from './rollouts.options.ts'
import { waitingAnew, type TargetDocument } from './target.model.ts'

/** Takes boards into a rollout that is there: those that its filter did not find when it was made, and those that return. */
export function createAddLateBoards(options: RolloutsOptions, { busyOf }: Pick<RolloutMaker, 'busyOf'>) {
  const { rollouts, targets, boards, now } = options

  /** The rollout's boards by their ids; the target of each that was skipped. */
  async function knownOf(id: string): Promise<Map<string, TargetDocument | null>> {
    const [ids, skipped] = await Promise.all([targets.allIds(id), targets.findSkipped(id)])
    const byBoard = new Map(skipped.map((target) => [String(target.deviceId), target]))
    return new Map(ids.map((deviceId) => [deviceId, byBoard.get(deviceId) ?? null]))
  }

  /**
   * Boards that the filter finds by now and that nothing else holds join the last stage, as do those that were skipped and
   * are back. @throws AppError NOT_FOUND when its image is gone.
   */
  return async function addLateBoards(rollout: RolloutDocument): Promise<void> {
    if (rollout.filter === null || rollout.fileName === null) return
    const id = String(rollout._id)
    const [found, known] = await Promise.all([boards.findByFilter(rollout.filter), knownOf(id)])
    const late = found.filter(({ _id, isOnline }) => {
      const target = known.get(String(_id))
      return target === undefined || (target !== null && isOnline)
    })
    if (late.length === 0) return
    const image = await options.findImage(rollout.fileName)
    const stage = rollout.stages.length - 1
    await options.inTransaction(async () => {
      const { chosen } = chooseForImage(late, image, { busy: await busyOf(late), now: now() })
      if (chosen.length === 0) return
      const at = new Date(now())
      const back = chosen.flatMap(({ _id }) => known.get(String(_id)) ?? [])
      const rows = chosen
        .filter(({ _id }) => !known.has(String(_id)))
        .map(({ _id, deviceMac }) => ({ deviceId: String(_id), deviceMac, stage, isSingle: false }))
      const running = await rollouts.change(id, ['running'], {
        $inc: { rev: 1, total: rows.length, ...stageTotals(stage, rows.length, back) }
      })
      // It was paused or ended meanwhile: in one that goes on they are found again.
      if (running === null) return
      await targets.insert(id, rows, options.newJobId, at)
      for (const target of back) await targets.change(target, { ...waitingAnew(options.newJobId(), at), stage })
    })
  }
}

/** What changes of the sizes of stages, by their path: those that are back leave the stage that they were in. */
function stageTotals(last: number, added: number, back: readonly TargetDocument[]): Record<string, number> {
  const moved = back.filter(({ stage }) => stage !== last)
  const totals: Record<string, number> = { [`stages.${last}.total`]: added + moved.length }
  for (const [stage, { length }] of Map.groupBy(moved, ({ stage: from }) => from))
    totals[`stages.${stage}.total`] = -length
  return totals
}
