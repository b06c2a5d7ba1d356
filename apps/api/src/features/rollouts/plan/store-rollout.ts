import { conflict, notFound } from '../../../platform/app-error.ts'
import { isDuplicateKey } from '../../../platform/store/database.ts'
import { withoutDeadlineOfRequest } from '../../../platform/store/deadline.ts'
import type { Choice } from './choose-boards.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { NewRollout } from '../rollouts.repository.ts'
import type { RolloutsOptions } from '../rollouts.options.ts'
import type { NewTarget } from '../targets/targets.repository.ts'
import { nothingWatched } from '../engine/watch-boards.ts'

/** The fields that are decided before a rollout is stored. */
export type PlannedRollout = Omit<
  NewRollout,
  'rev' | 'paused' | 'countedFrom' | 'watched' | 'base' | 'createdAt' | 'stage' | 'total'
>

/** Runs a write in the transaction of its audit row. */
export type InAudit = <Result>(store: () => Promise<Result>) => Promise<Result>

/** Stores a rollout in the transaction of the caller's choice, and returns what the caller makes of it. */
export type CommitRollout<Result> = (store: () => Promise<RolloutDocument>) => Promise<Result>

export const takenByOthers = 'Another rollout or update has these boards. Wait until it has ended.'
const triesMax = 3

/** Stores a rollout with its boards. */
export function createStoreRollout(
  options: Pick<RolloutsOptions, 'rollouts' | 'targets' | 'plans' | 'claimImage' | 'newJobId' | 'now' | 'base' | 'wake'>
) {
  const { rollouts, targets, plans, now } = options

  /**
   * `taken`: ids of the chosen boards, by stage. The boards are stored in batches before `commit`: thousands in one
   * transaction would block everybody else while it is committed. `held`: boards that another rollout releases in `commit`;
   * they are few, and stored there.
   * @throws AppError NOT_FOUND when the image is gone; a duplicate key when another rollout has taken one of the boards.
   */
  return async function storeRollout<Result>(
    fields: PlannedRollout,
    {
      choice,
      taken,
      held
    }: { choice: Choice; taken: readonly (readonly string[])[]; held?: ReadonlySet<string> | undefined },
    commit: CommitRollout<Result>
  ): Promise<Result> {
    const at = new Date(now())
    const id = rollouts.newId()
    const rows = targetsOf(choice, taken, fields.isSingle)
    const insert = (isHeld: boolean) =>
      targets.insert(
        id,
        rows.filter(({ deviceId }) => (held?.has(deviceId) ?? false) === isHeld),
        options.newJobId,
        at
      )
    try {
      await plans.begin(id)
      await insert(false)
      return await commit(async () => {
        if (fields.fileId !== null && !(await options.claimImage(fields.fileId))) throw notFound('Firmware file')
        if (!(await plans.end(id))) throw conflict('Storing its boards took too long. Please try again.')
        await insert(true)
        const made = await rollouts.insert(id, {
          ...fields,
          total: rows.length,
          stage: 0,
          rev: 0,
          paused: null,
          countedFrom: at,
          watched: { before: nothingWatched, after: nothingWatched, at },
          base: options.base(),
          createdAt: at
        })
        options.wake()
        return made
      })
    } catch (error) {
      // If this fails too, the next rollout releases the boards.
      await withoutDeadlineOfRequest(() => plans.drop(id)).catch(() => undefined)
      throw error
    }
  }
}

/** Plans anew when another rollout has taken one of the boards meanwhile. @throws CONFLICT if that happens each time. */
export async function planAgainstOthers<Result>(plan: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await plan()
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      if (tried === triesMax) throw conflict(takenByOthers)
    }
  }
}

function targetsOf({ chosen }: Choice, taken: readonly (readonly string[])[], isSingle: boolean): NewTarget[] {
  const stageOf = new Map(taken.flatMap((ids, stage) => ids.map((deviceId) => [deviceId, stage] as const)))
  return chosen.map(({ _id, deviceMac }) => ({
    deviceId: String(_id),
    deviceMac,
    stage: stageOf.get(String(_id)) ?? 0,
    isSingle
  }))
}
