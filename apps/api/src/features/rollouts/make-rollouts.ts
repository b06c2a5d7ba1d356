import {
  defaultAtOnce,
  defaultMaxFailurePercent,
  type DeviceFilter,
  type ExcludedCount,
  type RolloutBody,
  type RolloutStageInput
} from '@batti/contracts'
import { conflict, invalid, notFound } from '../../platform/app-error.ts'
import type { Board } from './boards.repository.ts'
import { chooseForImage, type Choice } from './choose-boards.ts'
import { defaultStages, planStages, stageDocuments } from './plan-stages.ts'
import type { RolloutDocument } from './rollout.model.ts'
import type { NewRollout } from './rollouts.repository.ts'
import type { RolloutImage, RolloutsOptions } from './rollouts.service.ts'
import { nothingWatched } from './watch-boards.ts'

/** One of the two. */
export interface RolloutTarget {
  deviceIds?: readonly string[] | undefined
  filter?: DeviceFilter | undefined
}
type FirmwareBody = Omit<RolloutBody, 'follow' | 'updateWhen'> & Partial<Pick<RolloutBody, 'follow' | 'updateWhen'>>
type Planned = Omit<NewRollout, 'rev' | 'paused' | 'countedFrom' | 'watched' | 'base' | 'createdAt' | 'stage' | 'total'>

/** Chooses boards, plans their stages and stores what is to be done to them. */
export function createRolloutMaker(options: RolloutsOptions) {
  const { rollouts, targets, boards, now } = options

  /** @throws NOT_FOUND where one of the ids named is no board. */
  async function boardsOf({ deviceIds, filter }: RolloutTarget): Promise<Board[]> {
    if (filter !== undefined) return boards.findByFilter(filter)
    const ids = [...new Set(deviceIds)]
    const found = await boards.findByIds(ids)
    if (found.length < ids.length) throw notFound('Device')
    return found
  }

  const busyOf = (found: readonly Board[]): Promise<Set<string>> =>
    targets.findBusy(found.map(({ _id }) => String(_id)))

  async function plan(body: Pick<RolloutBody, 'target' | 'stages'>, image: RolloutImage) {
    const found = await boardsOf(body.target)
    const choice = chooseForImage(found, image, { busy: await busyOf(found), now: now() })
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

  async function store(
    fields: Planned,
    choice: Choice,
    taken: readonly (readonly string[])[]
  ): Promise<RolloutDocument> {
    if (fields.fileId !== null && !(await options.claimImage(fields.fileId))) throw notFound('Firmware file')
    const at = new Date(now())
    const id = rollouts.newId()
    const stageOf = new Map(taken.flatMap((ids, stage) => ids.map((deviceId) => [deviceId, stage] as const)))
    const rows = choice.chosen.map(({ _id, deviceMac }) => ({
      deviceId: String(_id),
      deviceMac,
      stage: stageOf.get(String(_id)) ?? 0,
      isSingle: fields.isSingle
    }))
    // Boards first: a rollout that is there has all of its boards.
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

  async function makeFirmware(body: FirmwareBody, image: RolloutImage, userId: string): Promise<RolloutDocument> {
    if (image.blockedBy !== null) throw conflict(image.blockedBy)
    const { choice, stages, taken } = await plan(body, image)
    if (choice.chosen.length === 0 && body.follow !== true)
      throw conflict(`No board is left for this rollout${reasonsOf(choice.excluded)}.`)
    const waits = options.needsApproval
    return store(
      {
        kind: 'firmware',
        isSingle: false,
        fileId: image.id,
        fileName: image.filename,
        version: image.version,
        set: null,
        filter: body.target.filter ?? null,
        state: waits ? 'waiting-approval' : 'running',
        stages: stageDocuments(stages, taken, {
          holdMinutes: body.holdMinutes,
          startedAt: waits ? null : new Date(now())
        }).map((stage) =>
          body.stages === undefined && body.holdMinutes !== undefined
            ? { ...stage, holdMinutes: body.holdMinutes }
            : stage
        ),
        maxFailurePercent: body.maxFailurePercent ?? defaultMaxFailurePercent,
        atOnce: body.atOnce ?? defaultAtOnce,
        allowedHours: body.allowedHours ?? null,
        updateWhen: body.updateWhen ?? 'any',
        follow: body.follow ?? false,
        isActive: true,
        createdBy: userId
      },
      choice,
      taken
    )
  }

  /** Without stages, hours and holds: bulk changes, and the update of one board. */
  function makeAtOnce(
    fields: Pick<Planned, 'kind' | 'isSingle' | 'fileId' | 'fileName' | 'version' | 'set' | 'atOnce' | 'createdBy'>,
    choice: Choice
  ): Promise<RolloutDocument> {
    const ids = choice.chosen.map(({ _id }) => String(_id))
    const stages = stageDocuments([{ percent: 100, holdMinutes: 0, then: 'go' }], [ids], {
      holdMinutes: 0,
      startedAt: new Date(now())
    })
    return store(
      {
        ...fields,
        filter: null,
        state: 'running',
        stages,
        maxFailurePercent: 100,
        allowedHours: null,
        updateWhen: 'any',
        follow: false,
        isActive: true
      },
      choice,
      [ids]
    )
  }

  return {
    boardsOf,
    busyOf,
    plan,
    makeFirmware,
    makeAtOnce,

    /** Boards that the filter finds by now, and that nothing else holds, join the last stage. */
    async addLateBoards(rollout: RolloutDocument): Promise<void> {
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
}
export type RolloutMaker = ReturnType<typeof createRolloutMaker>

export const reasonsOf = (excluded: readonly ExcludedCount[]): string =>
  excluded.length === 0 ? '' : `: ${excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ')}`
