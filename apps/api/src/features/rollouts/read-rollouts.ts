import {
  versionOrderOf,
  type PageQuery,
  type PhaseCounts,
  type RolloutKind,
  type RolloutRecord,
  type RolloutState
} from '@batti/contracts'
import { macPattern, macSignsOf } from '../../boards/registry/mac-text.ts'
import { notFound } from '../../platform/app-error.ts'
import { containsText, everything, orderOf, pageInfo, pageOf, pageSortedBy, type Page } from '../../platform/paging.ts'
import type { BoardsRepository } from './boards.repository.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { presentRollout, presentTarget } from './rollouts.present.ts'
import type { RolloutFilter, RolloutsRepository } from './rollouts.repository.ts'
import { sharedTraits } from './plan/shared-traits.ts'
import { failedOf, phasesOfCancelled } from './targets/target-counts.ts'
import { createListByNames, type TargetQuery } from './targets/list-by-names.ts'
import type { TargetFilter, TargetsRepository } from './targets/targets.repository.ts'

/** The most boards of each kind that are compared to find what failed ones have in common. */
const comparedMax = 500

/** Reads rollouts and their boards for people. */
export function createRolloutReader({
  rollouts,
  targets,
  boards,
  now
}: {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  boards: Pick<BoardsRepository, 'findByIds' | 'idsNamed' | 'namesOf'>
  now(): number
}) {
  const listByNames = createListByNames({ targets, boards, now })

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

  /** Includes what failed boards have in common. */
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

  /** Sorts by a value that is not stored. Reads all matches, because there are few rollouts. */
  async function listByReading(filter: RolloutFilter, sort: string, page: Page) {
    const found = await rollouts.list(filter, { _id: 1 }, everything)
    if (sort.endsWith('version'))
      return {
        ...found,
        rollouts: pageSortedBy(found.rollouts, ({ version }) => versionOrderOf(version ?? ''), sort, page)
      }
    const counts = await targets.counts(found.rollouts.map(({ _id }) => _id))
    const valueOf = sort.endsWith('failed') ? failedOf : progressOf
    const rows = pageSortedBy(
      found.rollouts,
      (rollout) => valueOf(counts.get(String(rollout._id)), rollout),
      sort,
      page
    )
    return { ...found, rollouts: rows }
  }

  async function boardsLike(text: string): Promise<TargetFilter['search']> {
    const signs = macSignsOf(text)
    return { mac: signs === '' ? null : macPattern(signs), deviceIds: await boards.idsNamed(text) }
  }

  return {
    load,
    presentOne,

    async list(query: PageQuery & { state?: readonly RolloutState[] | undefined; kind?: RolloutKind | undefined }) {
      const page = pageOf(query)
      const text = query.search?.trim() ?? ''
      const filter = { state: query.state, kind: query.kind, search: text === '' ? undefined : containsText(text) }
      const found = isRead(query.sort)
        ? await listByReading(filter, query.sort, page)
        : await rollouts.list(filter, orderOf(query.sort, { createdAt: -1 }), page)
      const { byState, total } = found
      return { rollouts: await present(found.rollouts), byState, ...pageInfo(page, total) }
    },

    get: async (id: string): Promise<RolloutRecord> => presentWhole(await load(id)),

    async listTargets(id: string, query: TargetQuery) {
      const isCancelled = (await load(id)).state === 'cancelled'
      const phase = isCancelled && query.phase !== undefined ? phasesOfCancelled(query.phase) : query.phase
      const page = pageOf(query)
      const text = query.search?.trim() ?? ''
      const filter = { phase, search: text === '' ? undefined : await boardsLike(text) }
      const found = isOfNames(query.sort)
        ? await listByNames(id, { ...query, sort: query.sort }, filter)
        : await targets.list(id, filter, orderOf(query.sort, { stage: 1 }, { error: 'error.code' }), page)
      const names = await boards.namesOf(found.targets.map(({ deviceId }) => String(deviceId)))
      return {
        targets: found.targets.map((target) => ({
          ...presentTarget(isCancelled && target.phase === 'waiting' ? { ...target, phase: 'skipped' } : target),
          deviceName: names.get(String(target.deviceId)) ?? ''
        })),
        ...pageInfo(page, found.total)
      }
    }
  }
}
export type RolloutReader = ReturnType<typeof createRolloutReader>

const isRead = (sort = ''): sort is string => /^-?(progress|failed|version)$/.test(sort)
const isOfNames = (sort = ''): sort is string => /^-?deviceName$/.test(sort)

const progressOf = (counts: PhaseCounts = {}, { total }: Pick<RolloutDocument, 'total'>): number =>
  total === 0 ? 0 : (counts.done ?? 0) / total
