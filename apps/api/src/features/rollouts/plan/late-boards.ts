import type { DeviceFilter } from '@batti/contracts'
import { inBatches } from '../../../platform/store/batches/in-batches.ts'
import type { Board } from '../boards.repository.ts'
import { chooseForImage } from './choose-boards.ts'
import type { RolloutMaker } from './make-rollouts.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutImage, RolloutsOptions } from '../rollouts.options.ts'
import type { TargetDocument } from '../targets/target.model.ts'

/** Adds boards to an existing rollout: those that its filter did not match when it was created, and those that come back. */
export function createAddLateBoards(options: RolloutsOptions, { busyOf }: Pick<RolloutMaker, 'busyOf'>) {
  const { rollouts, targets, boards, now } = options

  /** Returns boards that match the filter but are not in the rollout, and targets of skipped boards that are back. */
  async function findLate(id: string, filter: DeviceFilter) {
    const late: Board[] = []
    const skipped = new Map<string, TargetDocument>()
    for await (const page of boards.pagesOf(filter)) {
      const has = await targets.findOf(
        id,
        page.map(({ _id }) => String(_id))
      )
      const byBoard = new Map(has.map((target) => [String(target.deviceId), target]))
      for (const board of page) {
        const target = byBoard.get(String(board._id))
        if (target !== undefined && (target.phase !== 'skipped' || !board.isOnline)) continue
        if (target !== undefined) skipped.set(String(board._id), target)
        late.push(board)
      }
    }
    return { late, skipped }
  }

  /** Adds boards of one batch: thousands in one transaction would block everybody else while it is committed. */
  async function add(
    rollout: RolloutDocument,
    free: readonly Board[],
    { image, skipped }: { image: RolloutImage; skipped: ReadonlyMap<string, TargetDocument> }
  ): Promise<void> {
    const id = String(rollout._id)
    const stage = rollout.stages.length - 1
    const { chosen } = chooseForImage(free, image, { busy: await busyOf(free), now: now() })
    if (chosen.length === 0) return
    const at = new Date(now())
    const back = chosen.flatMap(({ _id }) => skipped.get(String(_id)) ?? [])
    const rows = chosen
      .filter(({ _id }) => !skipped.has(String(_id)))
      .map(({ _id, deviceMac }) => ({ deviceId: String(_id), deviceMac, stage, isSingle: false }))
    const running = await rollouts.change(id, ['running'], {
      $inc: { rev: 1, total: rows.length, ...stageTotals(stage, rows.length, back) }
    })
    // The rollout was paused or ended meanwhile. If it continues, they are found again.
    if (running === null) return
    await targets.insert(id, rows, options.newJobId, at)
    await targets.queueAgain(back, { newJobId: options.newJobId, at, fields: { stage } })
  }

  /**
   * Adds boards that match the filter now, and are in no other rollout, to the last stage; also skipped ones that are back.
   * @throws AppError NOT_FOUND when its image is gone.
   */
  return async function addLateBoards(rollout: RolloutDocument): Promise<void> {
    if (rollout.filter === null || rollout.fileName === null) return
    const { late, skipped } = await findLate(String(rollout._id), rollout.filter)
    if (late.length === 0) return
    const image = await options.findImage(rollout.fileName)
    // Checked without a query first, because most were excluded at the creation, and still are.
    const free = chooseForImage(late, image, { busy: new Set(), now: now() }).chosen
    for (const batch of inBatches(free)) await options.inTransaction(() => add(rollout, batch, { image, skipped }))
  }
}

/** Returns the changes of the stages' sizes, by path: boards that are back leave their former stage. */
function stageTotals(last: number, added: number, back: readonly TargetDocument[]): Record<string, number> {
  const moved = back.filter(({ stage }) => stage !== last)
  const totals: Record<string, number> = { [`stages.${last}.total`]: added + moved.length }
  for (const [stage, { length }] of Map.groupBy(moved, ({ stage: from }) => from))
    totals[`stages.${stage}.total`] = -length
  return totals
}
