import type { PageQuery, UpdatePhase } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { pageOf, pageSortedBy } from '../../../platform/paging.ts'
import type { BoardsRepository } from '../boards.repository.ts'
import type { TargetDocument } from './target.model.ts'
import type { TargetFilter, TargetsRepository } from './targets.repository.ts'

export type TargetQuery = PageQuery & { phase?: UpdatePhase[] | undefined }

const sortedKeptMs = minuteMs

/** Lists the boards of a rollout by their names, which are stored with the boards. */
export function createListByNames(deps: {
  targets: Pick<TargetsRepository, 'findBoards' | 'findByIds'>
  boards: Pick<BoardsRepository, 'namesOf'>
  now(): number
}) {
  const { targets, boards, now } = deps
  /** A table requests one page after the other, so the order of the first page is kept for the others. */
  let lastSorted: { of: string; at: number; ids: TargetDocument['_id'][] } | undefined

  async function sortByNames(id: string, filter: TargetFilter, sort: string) {
    const found = await targets.findBoards(id, filter)
    const names = await boards.namesOf(found.map(({ deviceId }) => String(deviceId)))
    const nameOf = ({ deviceId, deviceMac }: (typeof found)[number]) => names.get(String(deviceId)) ?? deviceMac
    return pageSortedBy(found, nameOf, sort, { skip: 0, limit: found.length }).map(({ _id }) => _id)
  }

  return async function listByNames(id: string, query: TargetQuery & { sort: string }, filter: TargetFilter) {
    const { phase, search, sort } = query
    const of = JSON.stringify([id, phase, search, sort])
    const page = pageOf(query)
    if (page.page === 1 || lastSorted?.of !== of || now() - lastSorted.at > sortedKeptMs)
      lastSorted = { of, at: now(), ids: await sortByNames(id, filter, sort) }
    const { ids } = lastSorted
    return { targets: await targets.findByIds(ids.slice(page.skip, page.skip + page.limit)), total: ids.length }
  }
}
