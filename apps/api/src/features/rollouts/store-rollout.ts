import { notFound } from '../../platform/app-error.ts'
import type { Choice } from './choose-boards.ts'
import type { RolloutDocument } from './rollout.model.ts'
import type { NewRollout } from './rollouts.repository.ts'
import type { RolloutsOptions } from './rollouts.options.ts'
import type { NewTarget } from './targets.repository.ts'
import { nothingWatched } from './watch-boards.ts'

/** The fields that are decided before a rollout is stored. */
export type PlannedRollout = Omit<
  NewRollout,
  'rev' | 'paused' | 'countedFrom' | 'watched' | 'base' | 'createdAt' | 'stage' | 'total'
>

/** Stores a rollout with its boards. */
export function createStoreRollout(
  options: Pick<RolloutsOptions, 'rollouts' | 'targets' | 'claimImage' | 'newJobId' | 'now' | 'base' | 'wake'>
) {
  const { rollouts, targets, now } = options

  /** `taken`: ids of the chosen boards, by stage. @throws AppError NOT_FOUND when the image is gone. */
  return async function storeRollout(
    fields: PlannedRollout,
    choice: Choice,
    taken: readonly (readonly string[])[]
  ): Promise<RolloutDocument> {
    if (fields.fileId !== null && !(await options.claimImage(fields.fileId))) throw notFound('Firmware file')
    const at = new Date(now())
    const id = rollouts.newId()
    const rows = targetsOf(choice, taken, fields.isSingle)
    // Boards are stored first, so that an existing rollout always has all of its boards.
    await targets.insert(id, rows, options.newJobId, at)
    const made = await rollouts
      .insert(id, {
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
      .catch(async (error: unknown) => {
        await targets.deleteOf(id)
        throw error
      })
    options.wake()
    return made
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
