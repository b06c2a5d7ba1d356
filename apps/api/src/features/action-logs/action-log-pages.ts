import { searchedLogRowsMax, type ChangeSource } from '@batti/contracts'
import type { Model, QueryFilter } from 'mongoose'
import { indexOfBoard, type ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import { containsText, inOrderOf, orderOf, type Page, type SortOrder } from '../../platform/paging.ts'
import { findSortedPage } from '../../platform/store/lists/sorted-page.ts'

export interface ActionLogFilter {
  /** Undefined: rows of all accounts. */
  userId?: string
  switchId?: string | undefined
  deviceId?: string | undefined
  from?: ChangeSource | undefined
  since?: Date | undefined
  /** Rows up to this time are being cleared, and are hidden. */
  after?: Date | undefined
  until?: Date | undefined
  search?: string | undefined
  /** People whose name or phone matches the search: rows caused by them match too. */
  orByPeople?: readonly string[]
}

/** For how many matching people a search also covers the whole home. */
const homesMax = 50

const newest = { createdAt: -1, _id: -1 } as const

type Found = Pick<ActionLogDocument, '_id'>
type Condition = QueryFilter<ActionLogDocument>

function conditionOf(filter: ActionLogFilter): Condition {
  const { userId, switchId, deviceId, from, since, after, until } = filter
  const created = {
    ...(since === undefined ? {} : { $gte: since }),
    ...(after === undefined ? {} : { $gt: after }),
    ...(until === undefined ? {} : { $lte: until })
  }
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(switchId === undefined ? {} : { switchId }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(from === undefined ? {} : { from }),
    ...(Object.keys(created).length === 0 ? {} : { createdAt: created })
  }
}

/** Filters, searches and sorts the action log, a page at a time. */
export function createActionLogPages(model: Model<ActionLogDocument>) {
  /** Returns the time after which rows are few enough to be sorted for one page; null if all are. */
  async function edgeOf(within: Condition): Promise<Date | null> {
    const query = model.findOne(within, { createdAt: 1 }).sort(newest).skip(searchedLogRowsMax)
    return (await query.lean<Pick<ActionLogDocument, 'createdAt'>>())?.createdAt ?? null
  }

  /** Only the time is indexed: each index costs a row a page of the disk. The newest rows are sorted; others follow by time. */
  async function findPage(within: Condition, order: SortOrder, page: Page, narrowest: SortOrder | undefined) {
    const edge = 'createdAt' in order ? null : await edgeOf(within)
    if (edge === null) return findSortedPage(model, within, { order, page, narrowest })
    const recent: Condition = { $and: [within, { createdAt: { $gt: edge } }] }
    const { skip, limit } = page
    const count = await model.countDocuments(recent)
    const rest = { order: newest, page: { skip: Math.max(skip, count), limit }, narrowest }
    const [sorted, older] = await Promise.all([
      skip < count ? model.find(recent).sort(order).skip(skip).limit(limit).lean<ActionLogDocument[]>() : [],
      findSortedPage(model, within, rest)
    ])
    return { rows: [...sorted, ...older.rows].slice(0, limit), total: older.total }
  }

  /** Log rows have no search keys, because those would cost a page of the disk each. A search reads the rows instead. */
  async function searchOf(filter: ActionLogFilter, within: Condition) {
    const text = filter.search?.trim() ?? ''
    if (text === '') return null
    const people = filter.orByPeople ?? []
    const byPeople = people.length === 0 ? [] : [{ 'cause.userId': { $in: [...people] } }]
    const pattern = containsText(text)
    const matches = [...['description', 'userName', 'userPhone'].map((field) => ({ [field]: pattern })), ...byPeople]
    const edge = await edgeOf(within)
    if (edge === null) return { $or: matches }
    const recent = { createdAt: { $gt: edge }, $or: matches }
    // A single condition is read in index order; with an alternative the rows would have to be sorted.
    if (people.length === 0) return recent
    return { $or: [recent, { userId: { $in: people.slice(0, homesMax) }, $or: matches }] }
  }

  return async function list(
    filter: ActionLogFilter,
    sort: string | undefined,
    page: Page
  ): Promise<{ rows: ActionLogDocument[]; total: number }> {
    const within = conditionOf(filter)
    const order = orderOf(sort, { createdAt: -1 })
    const search = await searchOf(filter, within)
    if (search === null) {
      const isNarrowed = filter.deviceId !== undefined && Object.keys(within).length > 1
      const narrowest = isNarrowed ? indexOfBoard : undefined
      return findPage(within, order, page, narrowest)
    }
    // One scan for both: the ids give the total, and the page is then read by its ids.
    const found = await model
      .find({ $and: [within, search] }, { _id: 1 })
      .sort(order)
      .lean<Found[]>()
    const ids = found.slice(page.skip, page.skip + page.limit).map(({ _id }) => _id)
    const rows = await model.find({ _id: { $in: ids } }).lean<ActionLogDocument[]>()
    return { rows: inOrderOf(ids, rows), total: found.length }
  }
}
