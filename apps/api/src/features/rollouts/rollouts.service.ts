import type { RolloutsOptions, RolloutImage } from './rollouts.options.ts'
import type { BoardTarget, BulkSettings, ExcludedCount, RolloutBody, RolloutRecord } from '@batti/contracts'
import { conflict, invalid, unknownZone } from '../../platform/app-error.ts'
import { pageOf } from '../../platform/paging.ts'
import { isNamedZone } from '../../platform/time-zone.ts'
import type { Board } from './boards.repository.ts'
import { chooseForSettings } from './plan/choose-boards.ts'
import { createAddLateBoards } from './plan/late-boards.ts'
import { createRolloutMaker, reasonsOf } from './plan/make-rollouts.ts'
import { createRolloutReader } from './read-rollouts.ts'
import { createRolloutControl } from './control-rollouts.ts'
import { createRetries } from './retries.ts'
import { planAgainstOthers, type InAudit } from './plan/store-rollout.ts'

type BulkRequest = BoardTarget & { set: BulkSettings }
interface BulkMade {
  id: string
  total: number
}

/** Rollouts as people create, read and control them; the engine carries them out. */
export function createRolloutsService(options: RolloutsOptions) {
  const { targets } = options
  const { load, presentOne, ...reading } = createRolloutReader(options)
  const maker = createRolloutMaker(options)
  const retries = createRetries(options, { load, presentOne, findBusy: maker.findBusy })
  const { boardsOf, busyOf, plan, makeFirmware, makeAtOnce } = maker

  async function chooseForBulk(request: BulkRequest) {
    const { set } = request
    checkSettings(set)
    const found = await boardsOf(request)
    if (typeof set.setRoom === 'string')
      await options.checkRoom(
        set.setRoom,
        new Set(found.map(({ userId: owner }) => (owner === null ? null : String(owner))))
      )
    return chooseForSettings(found, await busyOf(found))
  }

  return {
    ...reading,
    ...createRolloutControl(options, { load, presentOne }, { ...maker, ...retries }),
    continueRetries: retries.continueRetries,
    addLateBoards: createAddLateBoards(options, maker),

    /** POST /rollouts/preview: what would be done, and to how many boards. */
    async preview(body: RolloutBody): Promise<{ total: number; stages: number[]; excluded: ExcludedCount[] }> {
      const { choice, taken } = await plan(body, await options.findImage(body.fileName))
      return { total: choice.chosen.length, stages: taken.map(({ length }) => length), excluded: choice.excluded }
    },

    /** POST /rollouts. @throws NOT_FOUND, CONFLICT for an image that is not released, or if there is no board. */
    create: (body: RolloutBody, userId: string, inAudit: InAudit): Promise<RolloutRecord> =>
      planAgainstOthers(async () => {
        const image = await options.findImage(body.fileName)
        const made = await makeFirmware(body, { image, userId }, (store) =>
          inAudit(async () => {
            const rollout = await store()
            return { _id: String(rollout._id), rollout }
          })
        )
        return presentOne(made.rollout)
      }),

    /** POST /bulk/devices?preview=1. @throws NOT_FOUND for boards and rooms. */
    async previewBulk(request: BulkRequest): Promise<{ total: number; excluded: ExcludedCount[] }> {
      const { chosen, excluded } = await chooseForBulk(request)
      return { total: chosen.length, excluded }
    },

    /** POST /bulk/devices. @throws NOT_FOUND for boards and rooms, CONFLICT if there is no board. */
    bulk: (request: BulkRequest, userId: string, inAudit: InAudit): Promise<BulkMade> =>
      planAgainstOthers(async () => {
        const choice = await chooseForBulk(request)
        const total = choice.chosen.length
        if (total === 0) throw conflict(`No board is left for this change${reasonsOf(choice.excluded)}.`)
        return makeAtOnce(
          {
            kind: 'settings',
            isSingle: false,
            fileId: null,
            fileName: null,
            version: null,
            set: request.set,
            atOnce: 100,
            createdBy: userId
          },
          choice,
          (store) => inAudit(async () => ({ id: String((await store())._id), total }))
        )
      }),

    /** Updates one board manually: an unlisted rollout of one. Returns the job id that the board gets. */
    async startSingle(board: Board, image: RolloutImage, userId: string): Promise<{ id: string }> {
      const made = await makeAtOnce(
        {
          kind: 'firmware',
          isSingle: true,
          fileId: image.id,
          fileName: image.filename,
          version: image.version,
          set: null,
          atOnce: 1,
          createdBy: userId
        },
        { chosen: [board], excluded: [] },
        (store) => store()
      )
      const [target] = (await targets.list(String(made._id), {}, { _id: 1 }, pageOf({ page: 1, limit: 1 }))).targets
      return { id: target?.jobId ?? String(made._id) }
    }
  }
}
export type RolloutsService = ReturnType<typeof createRolloutsService>

/** Refuses settings that no board could use. A record has only one server address for both. */
function checkSettings({ api, mqtt, timezone }: BulkSettings): void {
  if (timezone !== undefined && !isNamedZone(timezone)) throw unknownZone('set.timezone')
  if (api !== undefined && mqtt !== undefined && api.host !== mqtt.host)
    throw invalid('set.mqtt.host', 'must be the host of set.api: a board has one server')
}
