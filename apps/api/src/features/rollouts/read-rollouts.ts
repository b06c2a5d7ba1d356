import type { PageQuery, RolloutKind, RolloutRecord, RolloutState, UpdatePhase } from '@batti/contracts'
import { notFound } from '../../platform/app-error.ts'
import { containsText, orderOf, pageInfo, pageOf } from '../../platform/paging.ts'
import type { BoardsRepository } from './boards.repository.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { presentRollout, presentTarget } from './rollouts.present.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import { sharedTraits } from './shared-traits.ts'
import type { TargetsRepository } from './targets.repository.ts'

/** So many boards of either kind are looked at for what those that failed have in common. */
const comparedMax = 500

/** Rollouts and their boards as people read them. */
export function createRolloutReader({
  rollouts,
  targets,
  boards
}: {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  boards: Pick<BoardsRepository, 'findByIds'>
}) {
  async function present(list: readonly RolloutDocument[]): Promise<RolloutRecord[]> {
    const ids = list.map(({ _id }) => _id)
    const [counts, failures, done] = await Promise.all([
      targets.counts(ids),
      targets.failures(ids),
      Promise.all(list.map(({ _id, stages }) => targets.doneByStage(_id, stages.length)))
    ])
    return list.map((rollout, index) => {
      const id = String(rollout._id)
      return presentRollout(rollout, {
        counts: counts.get(id) ?? {},
        done: done[index] ?? [],
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

  /** With what the boards that failed have in common. */
  async function presentWhole(rollout: RolloutDocument): Promise<RolloutRecord> {
    const record = await presentOne(rollout)
    if (record.failures.length === 0) return record
    const [failed, done] = await Promise.all([
      targets.findEnded(rollout._id, ['failed', 'rolled-back'], comparedMax),
      targets.findEnded(rollout._id, ['done'], comparedMax)
    ])
    const found = await boards.findByIds([...failed, ...done].map(({ deviceId }) => String(deviceId)))
    const byId = new Map(found.map((board) => [String(board._id), board]))
    const boardsOf = (rows: typeof failed) => rows.flatMap(({ deviceId }) => byId.get(String(deviceId)) ?? [])
    const updated = boardsOf(done)
    const failures = record.failures.map((failure) => {
      const common = sharedTraits(boardsOf(failed.filter(({ error }) => error?.code === failure.code)), updated)
      return common.length === 0 ? failure : { ...failure, common }
    })
    return { ...record, failures }
  }

  async function load(id: string): Promise<RolloutDocument> {
    const rollout = await rollouts.findById(id)
    if (rollout === null || rollout.isSingle) throw notFound('Rollout')
    return rollout
  }

  return {
    load,
    presentOne,

    async list(query: PageQuery & { state?: RolloutState | undefined; kind?: RolloutKind | undefined }) {
      const page = pageOf(query)
      const text = query.search?.trim() ?? ''
      const found = await rollouts.list(
        { state: query.state, kind: query.kind, search: text === '' ? undefined : containsText(text) },
        orderOf(query.sort, { createdAt: -1 }),
        page
      )
      const { byState, total } = found
      return { rollouts: await present(found.rollouts), byState, ...pageInfo(page, total) }
    },

    get: async (id: string): Promise<RolloutRecord> => presentWhole(await load(id)),

    async listTargets(id: string, query: PageQuery & { phase?: UpdatePhase[] | undefined }) {
      await load(id)
      const page = pageOf(query)
      const text = query.search?.trim() ?? ''
      const found = await targets.list(
        id,
        { phase: query.phase, search: text === '' ? undefined : containsText(text) },
        orderOf(query.sort, { stage: 1 }),
        page
      )
      const named = await boards.findByIds(found.targets.map(({ deviceId }) => String(deviceId)))
      const names = new Map(named.map((board) => [String(board._id), board.setName.trim() || board.deviceName]))
      return {
        targets: found.targets.map((target) => ({
          ...presentTarget(target),
          deviceName: names.get(String(target.deviceId)) ?? ''
        })),
        ...pageInfo(page, found.total)
      }
    }
  }
}
export type RolloutReader = ReturnType<typeof createRolloutReader>
