import {
  defaultAtOnce,
  defaultMaxFailurePercent,
  type BoardTarget,
  type ExcludedCount,
  type RolloutBody,
  type RolloutStageInput
} from '@batti/contracts'
import { conflict, invalid, notFound } from '../../../platform/app-error.ts'
import type { Board } from '../boards.repository.ts'
import { chooseForImage, type Choice } from './choose-boards.ts'
import { createFindBusy } from './find-busy.ts'
import { defaultStages, planStages, stageDocuments } from './plan-stages.ts'
import type { RolloutDocument, StageDocument } from '../rollout.model.ts'
import type { RolloutImage, RolloutsOptions } from '../rollouts.options.ts'
import { createStoreRollout, type CommitRollout, type PlannedRollout } from './store-rollout.ts'

type FirmwareBody = Omit<RolloutBody, 'follow' | 'updateWhen'> & Partial<Pick<RolloutBody, 'follow' | 'updateWhen'>>

/** Chooses boards, plans their stages and stores the rollout. */
export function createRolloutMaker(options: RolloutsOptions) {
  const { boards, now } = options
  const storeRollout = createStoreRollout(options)

  /** @throws NOT_FOUND if one of the ids is not a board. */
  async function boardsOf({ deviceIds, filter }: BoardTarget): Promise<Board[]> {
    if (filter !== undefined) return boards.findByFilter(filter)
    const ids = [...new Set(deviceIds)]
    const found = await boards.findByIds(ids)
    if (found.length < ids.length) throw notFound('Device')
    return found
  }

  const findBusy = createFindBusy(options)
  const busyOf = (found: readonly Board[], ends?: RolloutDocument): Promise<Set<string>> =>
    findBusy(
      found.map(({ _id }) => String(_id)),
      ends
    )

  /** `taken`: ids of the boards, by stage. @throws NOT_FOUND, VALIDATION for stages that leave boards out. */
  async function plan(body: Pick<RolloutBody, 'target' | 'stages'>, image: RolloutImage, ends?: RolloutDocument) {
    const found = await boardsOf(body.target)
    const choice = chooseForImage(found, image, { busy: await busyOf(found, ends), now: now() })
    const planned = choice.chosen.map((board) => ({
      id: String(board._id),
      labels: board.labels ?? [],
      isOnline: board.isOnline
    }))
    const stages: RolloutStageInput[] = body.stages ?? defaultStages(planned)
    const { taken, left } = planStages(stages, planned)
    if (left > 0) throw invalid('stages', `never reach all boards: ${left} of ${planned.length} are left`)
    return { choice, stages, taken }
  }

  /**
   * `ends`: the rollout that `commit` ends. @throws like `plan`; CONFLICT for an image that cannot be rolled out now, or if there
   * is no board.
   */
  async function makeFirmware<Result>(
    body: FirmwareBody,
    { image, userId, ends }: { image: RolloutImage; userId: string; ends?: RolloutDocument },
    commit: CommitRollout<Result>
  ): Promise<Result> {
    if (image.blockedBy !== null) throw conflict(image.blockedBy)
    const { choice, stages, taken } = await plan(body, image, ends)
    if (choice.chosen.length === 0 && body.follow !== true)
      throw conflict(`No board is left for this rollout${reasonsOf(choice.excluded)}.`)
    const waits = options.needsApproval
    return storeRollout(
      {
        kind: 'firmware',
        isSingle: false,
        fileId: image.id,
        fileName: image.filename,
        version: image.version,
        set: null,
        filter: body.target.filter ?? null,
        state: waits ? 'waiting-approval' : 'running',
        stages: withHold(
          stageDocuments(stages, taken, {
            holdMinutes: body.holdMinutes,
            startedAt: waits ? null : new Date(now())
          }),
          body
        ),
        maxFailurePercent: body.maxFailurePercent ?? defaultMaxFailurePercent,
        atOnce: body.atOnce ?? defaultAtOnce,
        allowedHours: body.allowedHours ?? null,
        updateWhen: body.updateWhen ?? 'any',
        follow: body.follow ?? false,
        isActive: true,
        createdBy: userId
      },
      { choice, taken, held: ends && new Set(await options.targets.openIds(ends._id)) },
      commit
    )
  }

  /** Creates a rollout without stages, hours and holds: for bulk changes, and for the update of one board. */
  function makeAtOnce<Result>(
    fields: Pick<
      PlannedRollout,
      'kind' | 'isSingle' | 'fileId' | 'fileName' | 'version' | 'set' | 'atOnce' | 'createdBy'
    >,
    choice: Choice,
    commit: CommitRollout<Result>
  ): Promise<Result> {
    const ids = choice.chosen.map(({ _id }) => String(_id))
    const waits = options.needsApproval && !fields.isSingle
    const stages = stageDocuments([{ percent: 100, holdMinutes: 0, then: 'go' }], [ids], {
      holdMinutes: 0,
      startedAt: waits ? null : new Date(now())
    })
    return storeRollout(
      {
        ...fields,
        filter: null,
        state: waits ? 'waiting-approval' : 'running',
        stages,
        maxFailurePercent: 100,
        allowedHours: null,
        updateWhen: 'any',
        follow: false,
        isActive: true
      },
      { choice, taken: [ids] },
      commit
    )
  }

  return { boardsOf, findBusy, busyOf, plan, makeFirmware, makeAtOnce }
}
export type RolloutMaker = ReturnType<typeof createRolloutMaker>

/** If a request names no stages, its hold replaces that of each default stage. */
const withHold = (stages: StageDocument[], { stages: named, holdMinutes }: FirmwareBody): StageDocument[] =>
  named === undefined && holdMinutes !== undefined ? stages.map((stage) => ({ ...stage, holdMinutes })) : stages

export const reasonsOf = (excluded: readonly ExcludedCount[]): string =>
  excluded.length === 0 ? '' : `: ${excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ')}`
