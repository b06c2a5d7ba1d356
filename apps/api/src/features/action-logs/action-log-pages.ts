import { searchedLogRowsMax, type ChangeSource } from '@batti/contracts'
import type { Model, QueryFilter } from 'mongoose'
import { indexOfBoard, type ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import { containsText, countedMax, inOrderOf, orderOf, type Page, type SortOrder } from '../../platform/paging.ts'
import { findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import { firstInTime, pageInTime, type IsWanted, type PlaceInTime } from './in-order-of-time.ts'

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

interface LogReading {
  /** For a table of the whole list: the last row before this page; null at its beginning. */
  after?: PlaceInTime | null | undefined
  isWanted?: IsWanted
}

/** For how many matching people a search also covers the whole home. */
const homesMax = 50

const newest = { createdAt: -1, _id: -1 } as const

type Found = Pick<ActionLogDocument, '_id'>
type Condition = QueryFilter<ActionLogDocument>

/** `within`: what an index finds. `also`: what no index finds. */
function conditionsOf(filter: ActionLogFilter): { within: Condition; also: Condition } {
  const { userId, switchId, deviceId, from, since, after, until } = filter
  const created = {
    ...(since === undefined ? {} : { $gte: since }),
    ...(after === undefined ? {} : { $gt: after }),
    ...(until === undefined ? {} : { $lte: until })
  }
  const within = {
    ...(userId === undefined ? {} : { userId }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(Object.keys(created).length === 0 ? {} : { createdAt: created })
  }
  return { within, also: { ...(switchId === undefined ? {} : { switchId }), ...(from === undefined ? {} : { from }) } }
}

/** Whether a list reads many more rows than it returns. */
export const isLongRead = (filter: Pick<ActionLogFilter, 'from' | 'switchId' | 'search'>, sort: string | undefined) =>
  [filter.from, filter.switchId, filter.search].some((value) => value !== undefined) || !isByTime(orderOf(sort, newest))

const isByTime = (order: SortOrder): boolean => 'createdAt' in order
const idsOf = (found: readonly Found[]) => found.map(({ _id }) => _id)

/** Filters, searches and sorts the action log, a page at a time. */
export function createActionLogPages(model: Model<ActionLogDocument>) {
  /** Returns the time after which rows are few enough to be sorted for one page; null if all are. */
  async function edgeOf(within: Condition): Promise<Date | null> {
    const query = model.findOne(within, { createdAt: 1 }).sort(newest).skip(searchedLogRowsMax)
    return (await query.lean<Pick<ActionLogDocument, 'createdAt'>>())?.createdAt ?? null
  }

  /** Only the time is indexed: each index costs a row a page of the disk. The newest rows are sorted; others follow by time. */
  async function findPage(within: Condition, order: SortOrder, page: Page, narrowest: SortOrder | undefined) {
    const edge = isByTime(order) ? null : await edgeOf(within)
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

  /** Reads the log in order of time until the page is full and the matches are counted. */
  async function findFiltered(
    { within, also }: ReturnType<typeof conditionsOf>,
    order: SortOrder,
    { page, isWanted }: { page: Page; isWanted: IsWanted }
  ) {
    const { skip, limit } = page
    const enough = countedMax + 1
    if (isByTime(order)) {
      const stretch = { within, also, direction: order['createdAt'] ?? -1 }
      return pageInTime(model, stretch, { page, enough, isWanted })
    }
    const newestMatches = { within, also, direction: -1 } as const
    const found = await firstInTime(model, newestMatches, { enough: Math.max(enough, skip + limit), isWanted })
    const total = Math.min(found.length, enough)
    const recent: Condition = { _id: { $in: idsOf(found.slice(0, searchedLogRowsMax)) } }
    const sorted =
      skip < searchedLogRowsMax
        ? await model.find(recent).sort(order).skip(skip).limit(limit).lean<ActionLogDocument[]>()
        : []
    const older = await rowsOf(found.slice(Math.max(skip, searchedLogRowsMax), skip + limit))
    return { rows: [...sorted, ...older], total }
  }

  async function rowsOf(found: readonly Found[]): Promise<ActionLogDocument[]> {
    const ids = idsOf(found)
    return inOrderOf(ids, await model.find({ _id: { $in: ids } }).lean<ActionLogDocument[]>())
  }

  /** Log rows have no search keys, because those would cost a page of the disk each. A search reads the rows instead. */
  async function searchOf(
    filter: ActionLogFilter,
    { within, also }: ReturnType<typeof conditionsOf>,
    isWanted: IsWanted
  ) {
    const text = filter.search?.trim() ?? ''
    if (text === '') return null
    const people = filter.orByPeople ?? []
    const byPeople = people.length === 0 ? [] : [{ 'cause.userId': { $in: [...people] } }]
    const pattern = containsText(text)
    const matches = [...['description', 'userName', 'userPhone'].map((field) => ({ [field]: pattern })), ...byPeople]
    const searched = await searchedIn({ within, also }, isWanted)
    if (searched === null) return { $or: matches }
    const recent = { ...searched, $or: matches }
    // A single condition is read in index order; with an alternative the rows would have to be sorted.
    if (people.length === 0) return recent
    return { $or: [recent, { userId: { $in: people.slice(0, homesMax) }, $or: matches }] }
  }

  /** Returns the condition of the newest rows; null for all. */
  async function searchedIn(
    { within, also }: ReturnType<typeof conditionsOf>,
    isWanted: IsWanted
  ): Promise<Condition | null> {
    if (Object.keys(also).length === 0) {
      const edge = await edgeOf(within)
      return edge === null ? null : { createdAt: { $gt: edge } }
    }
    const found = await firstInTime(model, { within, also, direction: -1 }, { enough: searchedLogRowsMax, isWanted })
    return { _id: { $in: idsOf(found.slice(0, searchedLogRowsMax)) } }
  }

  return async function list(
    filter: ActionLogFilter,
    sort: string | undefined,
    page: Page,
    { after, isWanted }: LogReading = {}
  ): Promise<{ rows: ActionLogDocument[]; total: number }> {
    const conditions = conditionsOf(filter)
    const { within, also } = conditions
    const order = orderOf(sort, { createdAt: -1 })
    const search = await searchOf(filter, conditions, isWanted)
    if (search === null) {
      if (after !== undefined && isByTime(order)) {
        const stretch = { within, also, direction: order['createdAt'] ?? -1, after }
        const found = await firstInTime(model, stretch, { enough: page.limit, isWanted })
        return { rows: await rowsOf(found.slice(0, page.limit)), total: countedMax + 1 }
      }
      if (Object.keys(also).length > 0) return findFiltered(conditions, order, { page, isWanted })
      const isNarrowed = filter.deviceId !== undefined && Object.keys(within).length > 1
      return findPage(within, order, page, isNarrowed ? indexOfBoard : undefined)
    }
    // One scan for both: the ids give the total, and the page is then read by its ids.
    const found = await model
      .find({ $and: [within, also, search] }, { _id: 1 })
      .sort(order)
      .lean<Found[]>()
    return { rows: await rowsOf(found.slice(page.skip, page.skip + page.limit)), total: found.length }
  }
}
