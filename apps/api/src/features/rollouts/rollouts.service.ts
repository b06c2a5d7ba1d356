import {
  defaultAtOnce,
  defaultMaxFailurePercent,
  type BulkSettings,
  type DeviceFilter,
  type ExcludedCount,
  type PageQuery,
  type RolloutBody,
  type RolloutKind,
  type RolloutState,
  type RolloutRecord,
  type RolloutStageInput,
  type UpdateErrorCode,
  type UpdatePhase
} from '@batti/contracts'
import { conflict, forbidden, invalid, notFound } from '../../platform/app-error.ts'
import { containsText, orderOf, pageInfo, pageOf } from '../../platform/paging.ts'
import type { Board, BoardsRepository } from './boards.repository.ts'
import { chooseForImage, chooseForSettings, type Choice, type WantedImage } from './choose-boards.ts'
import { beginNextStage } from './engine.ts'
import { defaultStages, planStages, stageDocuments } from './plan-stages.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { nothingWatched } from './watch-boards.ts'
import { presentRollout, presentTarget } from './rollouts.present.ts'
import type { NewRollout, RolloutsRepository } from './rollouts.repository.ts'
import type { TargetsRepository } from './targets.repository.ts'

/** An image that a rollout names, with what it asks of boards. */
export interface RolloutImage extends WantedImage {
  id: string
  filename: string
  hwModel: string | null
  isAbove(version: string): boolean
  /** Why it cannot be rolled out now, as a sentence; null when it can. */
  blockedBy: string | null
}

export interface RolloutsOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  boards: BoardsRepository
  /** @throws AppError NOT_FOUND. */
  findImage(fileName: string): Promise<RolloutImage>
  newJobId(): string
  now(): number
  /** The server's own address, as boards reach it. */
  base(): string
  /** Another admin must start what one has made. */
  needsApproval: boolean
  /** It is looked at now, not at the next full second. */
  wake(): void
  checkRoom(roomId: string, owners: ReadonlySet<string | null>): Promise<void>
}

type Target = { deviceIds: readonly string[] } | { filter: DeviceFilter }
type Sized = RolloutStageInput[]

/** Rollouts as people make, read and steer them; what they then do is the engine's. */
export function createRolloutsService(options: RolloutsOptions) {
  const { rollouts, targets, boards, now } = options

  async function present(list: readonly RolloutDocument[]): Promise<RolloutRecord[]> {
    const ids = list.map(({ _id }) => _id)
    const [counts, failures, done] = await Promise.all([
      targets.counts(ids),
      targets.failures(ids),
      targets.doneOfStages(ids)
    ])
    return list.map((rollout) => {
      const id = String(rollout._id)
      const byStage: number[] = []
      for (const row of done) if (row.rolloutId === id) byStage[row.stage] = row.count
      return presentRollout(rollout, {
        counts: counts.get(id) ?? {},
        done: byStage,
        failures: failures
          .filter((failure) => failure.rolloutId === id)
          .map(({ code, count }) => ({ code, count }))
          .toSorted((a, b) => b.count - a.count)
      })
    })
  }

  async function presentOne(rollout: RolloutDocument): Promise<RolloutRecord> {
    const [record] = await present([rollout])
    if (record === undefined) throw notFound('Rollout')
    return record
  }

  async function load(id: string): Promise<RolloutDocument> {
    const rollout = await rollouts.findById(id)
    if (rollout === null || rollout.isSingle) throw notFound('Rollout')
    return rollout
  }

  /** @throws NOT_FOUND where one of the ids named is no board. */
  async function boardsOf(target: Target): Promise<Board[]> {
    if ('filter' in target) return boards.findByFilter(target.filter)
    const ids = [...new Set(target.deviceIds)]
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
    const stages: Sized = body.stages ?? defaultStages(planned)
    const { taken, left } = planStages(stages, planned)
    if (left > 0) throw invalid('stages', `never reach all boards: ${left} of ${planned.length} are left`)
    return { choice, stages, taken }
  }

  async function store(
    fields: Omit<NewRollout, 'rev' | 'paused' | 'countedFrom' | 'watched' | 'base' | 'createdAt' | 'stage' | 'total'>,
    choice: Choice,
    taken: readonly (readonly string[])[]
  ): Promise<RolloutDocument> {
    const at = new Date(now())
    const id = rollouts.newId()
    const stageOf = new Map(taken.flatMap((ids, stage) => ids.map((deviceId) => [deviceId, stage] as const)))
    const rows = choice.chosen.map(({ _id, deviceMac }) => ({
      deviceId: String(_id),
      deviceMac,
      stage: stageOf.get(String(_id)) ?? 0
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

  async function makeFirmware(
    body: Omit<RolloutBody, 'follow' | 'updateWhen'> & Partial<Pick<RolloutBody, 'follow' | 'updateWhen'>>,
    image: RolloutImage,
    userId: string
  ): Promise<RolloutDocument> {
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
        filter: 'filter' in body.target ? body.target.filter : null,
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

  async function changeState(
    rollout: RolloutDocument,
    wanted: 'running' | 'paused' | 'cancelled',
    userId: string
  ): Promise<RolloutDocument | null> {
    const id = String(rollout._id)
    const at = new Date(now())
    if (wanted === 'paused') {
      const tally = await targets.tally(id, rollout.countedFrom)
      const paused = { by: 'staff', at, ...tally, limit: rollout.maxFailurePercent }
      return rollouts.change(id, ['running', 'asking'], { $set: { state: 'paused', paused } })
    }
    if (wanted === 'cancelled') {
      const cancelled = await rollouts.change(id, ['waiting-approval', 'running', 'asking', 'paused'], {
        $set: { state: 'cancelled', paused: null }
      })
      if (cancelled !== null) await targets.skipWaiting(id, at)
      return cancelled
    }
    if (rollout.state === 'waiting-approval') {
      if (String(rollout.createdBy) === userId) throw forbidden('Another admin must start what you have made.')
      return rollouts.change(id, ['waiting-approval'], {
        $set: { state: 'running', countedFrom: at, 'stages.0.startedAt': at }
      })
    }
    // Whoever answers the question lets the next stage begin.
    if (rollout.state === 'asking') return rollouts.change(id, ['asking'], beginNextStage(rollout.stage, at))
    return rollouts.change(id, ['paused'], { $set: { state: 'running', paused: null, countedFrom: at } })
  }

  return {
    async list(query: PageQuery & { state?: RolloutState | undefined; kind?: RolloutKind | undefined }) {
      const page = pageOf(query)
      const text = query.search?.trim() ?? ''
      const found = await rollouts.list(
        { state: query.state, kind: query.kind, search: text === '' ? undefined : containsText(text) },
        orderOf(query.sort, { createdAt: -1 }),
        page
      )
      return { rollouts: await present(found.rollouts), ...pageInfo(page, found.total) }
    },

    get: async (id: string): Promise<RolloutRecord> => presentOne(await load(id)),

    async listTargets(id: string, query: PageQuery & { phase?: UpdatePhase | undefined }) {
      await load(id)
      const page = pageOf(query)
      const text = query.search?.trim() ?? ''
      const found = await targets.list(
        id,
        { phase: query.phase, search: text === '' ? undefined : containsText(text) },
        orderOf(query.sort, { stage: 1 }),
        page
      )
      return { targets: found.targets.map(presentTarget), ...pageInfo(page, found.total) }
    },

    /** POST /rollouts/preview: what would be done, and to how many. */
    async preview(body: RolloutBody): Promise<{ total: number; stages: number[]; excluded: ExcludedCount[] }> {
      const { choice, taken } = await plan(body, await options.findImage(body.fileName))
      return { total: choice.chosen.length, stages: taken.map(({ length }) => length), excluded: choice.excluded }
    },

    /** POST /rollouts. @throws NOT_FOUND, CONFLICT for an image that is not released and for no board at all. */
    async create(body: RolloutBody, userId: string): Promise<RolloutRecord> {
      return presentOne(await makeFirmware(body, await options.findImage(body.fileName), userId))
    },

    /** PATCH /rollouts/{id}. The state that it has already changes nothing. @throws CONFLICT from where no way leads. */
    async update(id: string, wanted: 'running' | 'paused' | 'cancelled', userId: string): Promise<RolloutRecord> {
      const rollout = await load(id)
      if (rollout.state === wanted) return presentOne(rollout)
      const changed = await changeState(rollout, wanted, userId)
      if (changed === null) {
        const { state } = await load(id)
        if (state === wanted) return presentOne(await load(id))
        throw conflict(`A rollout that is ${state} cannot become ${wanted}.`)
      }
      options.wake()
      return presentOne(changed)
    },

    /** POST /rollouts/{id}/retry: failed and rolled-back boards wait again, with a new job. Nobody fits: nothing changes. */
    async retry(
      id: string,
      which: { reason?: UpdateErrorCode | undefined; deviceIds?: readonly string[] | undefined }
    ): Promise<RolloutRecord> {
      const rollout = await load(id)
      if (rollout.state === 'cancelled') throw conflict('A cancelled rollout cannot be tried again. Start a new one.')
      const again = await targets.findToRetry(id, { code: which.reason, deviceIds: which.deviceIds })
      if (again.length === 0) return presentOne(rollout)
      const at = new Date(now())
      for (const target of again) {
        await targets.change(target, {
          phase: 'waiting',
          percent: 0,
          error: null,
          jobId: options.newJobId(),
          sends: 0,
          sentAt: null,
          triedAt: null,
          wait: null,
          tryAt: at,
          changedAt: at
        })
      }
      const changed = await rollouts.change(id, ['running', 'asking', 'paused', 'done'], {
        $inc: { rev: 1 },
        $set: {
          state: 'running',
          isActive: true,
          paused: null,
          ...(rollout.state === 'running' ? {} : { countedFrom: at })
        }
      })
      options.wake()
      return presentOne(changed ?? (await load(id)))
    },

    /** POST /rollouts/{id}/roll-forward: another, higher version to every board that this one updated; it ends. */
    async rollForward(id: string, fileName: string, userId: string): Promise<RolloutRecord> {
      const rollout = await load(id)
      if (rollout.kind !== 'firmware') throw conflict('Only a rollout of firmware can be rolled forward.')
      const image = await options.findImage(fileName)
      if (image.blockedBy !== null) throw conflict(image.blockedBy)
      const deviceIds = await targets.updatedIds(id)
      if (deviceIds.length === 0) throw conflict('This rollout has not updated any board.')
      if (!image.isAbove(rollout.version ?? ''))
        throw conflict(
          `Version ${image.version} is not above ${rollout.version}. Sign the image anew under a higher number.`
        )
      const at = new Date(now())
      // Its boards are let go of first, or they would be busy.
      await rollouts.change(id, ['waiting-approval', 'running', 'asking', 'paused', 'done'], {
        $set: { state: 'cancelled', paused: null }
      })
      await targets.skipWaiting(id, at)
      await targets.endProving(id, at)
      const made = await makeFirmware(
        {
          fileName,
          target: { deviceIds },
          stages: [{ percent: 100, then: 'go' }],
          maxFailurePercent: rollout.maxFailurePercent,
          atOnce: rollout.atOnce,
          allowedHours: rollout.allowedHours,
          updateWhen: rollout.updateWhen
        },
        image,
        userId
      )
      return presentOne(made)
    },

    /** POST /bulk/devices, and its preview. @throws NOT_FOUND for boards and rooms, CONFLICT for no board at all. */
    async bulk(
      request: { target: Target; set: BulkSettings; isPreview: boolean },
      userId: string
    ): Promise<{ id?: string; total: number; excluded?: ExcludedCount[] }> {
      const { set } = request
      checkAddresses(set)
      const found = await boardsOf(request.target)
      if (typeof set.setRoom === 'string')
        await options.checkRoom(
          set.setRoom,
          new Set(found.map(({ userId: owner }) => (owner === null ? null : String(owner))))
        )
      const choice = chooseForSettings(found, await busyOf(found))
      const total = choice.chosen.length
      if (request.isPreview) return { total, excluded: choice.excluded }
      if (total === 0) throw conflict(`No board is left for this change${reasonsOf(choice.excluded)}.`)
      const ids = choice.chosen.map(({ _id }) => String(_id))
      const made = await store(
        {
          kind: 'settings',
          isSingle: false,
          fileId: null,
          fileName: null,
          version: null,
          set,
          filter: null,
          state: 'running',
          stages: stageDocuments([{ percent: 100, holdMinutes: 0, then: 'go' }], [ids], {
            holdMinutes: 0,
            startedAt: new Date(now())
          }),
          maxFailurePercent: 100,
          atOnce: 100,
          allowedHours: null,
          updateWhen: 'any',
          follow: false,
          isActive: true,
          createdBy: userId
        },
        choice,
        [ids]
      )
      return { id: String(made._id), total }
    },

    /** The update of one board by hand: a rollout of one that stands in no list. Answers what the board knows it by. */
    async startSingle(board: Board, image: RolloutImage, userId: string): Promise<{ id: string }> {
      const ids = [String(board._id)]
      const made = await store(
        {
          kind: 'firmware',
          isSingle: true,
          fileId: image.id,
          fileName: image.filename,
          version: image.version,
          set: null,
          filter: null,
          state: 'running',
          stages: stageDocuments([{ percent: 100, holdMinutes: 0, then: 'go' }], [ids], {
            holdMinutes: 0,
            startedAt: new Date(now())
          }),
          maxFailurePercent: 100,
          atOnce: 1,
          allowedHours: null,
          updateWhen: 'any',
          follow: false,
          isActive: true,
          createdBy: userId
        },
        { chosen: [board], excluded: [] },
        [ids]
      )
      const [target] = (await targets.list(String(made._id), {}, { _id: 1 }, pageOf({ page: 1, limit: 1 }))).targets
      return { id: target?.jobId ?? String(made._id) }
    },

    /** Boards that the filter finds by now, and that nothing else holds, join the last stage. */
    async addLateBoards(rollout: RolloutDocument): Promise<void> {
      if (rollout.filter === null || rollout.fileName === null) return
      const id = String(rollout._id)
      const [found, known] = await Promise.all([boards.findByFilter(rollout.filter), targets.allIds(id)])
      const isKnown = new Set(known)
      const late = found.filter(({ _id }) => !isKnown.has(String(_id)))
      if (late.length === 0) return
      const image = await options.findImage(rollout.fileName)
      const { chosen } = chooseForImage(late, image, { busy: await busyOf(late), now: now() })
      if (chosen.length === 0) return
      const stage = rollout.stages.length - 1
      const rows = chosen.map(({ _id, deviceMac }) => ({ deviceId: String(_id), deviceMac, stage }))
      await targets.insert(id, rows, options.newJobId, new Date(now()))
      await rollouts.change(id, ['running'], {
        $inc: { rev: 1, total: rows.length, [`stages.${stage}.total`]: rows.length }
      })
    }
  }
}
export type RolloutsService = ReturnType<typeof createRolloutsService>

/** One record holds one address of the server for both. */
function checkAddresses({ api, mqtt }: BulkSettings): void {
  if (api !== undefined && mqtt !== undefined && api.host !== mqtt.host)
    throw invalid('set.mqtt.host', 'must be the host of set.api: a board has one server')
}

const reasonsOf = (excluded: readonly ExcludedCount[]): string =>
  excluded.length === 0 ? '' : `: ${excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ')}`
