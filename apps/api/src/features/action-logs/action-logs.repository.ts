import { searchedLogRowsMax, type ChangeSource } from '@batti/contracts'
import { Types, type Model, type QueryFilter } from 'mongoose'
import { containsText, inOrderOf, orderOf, type Page, type SortOrder } from '../../platform/paging.ts'
import { deleteInBatches } from '../../platform/store/batches/delete-in-batches.ts'
import { inWindows } from '../../platform/store/batches/in-windows.ts'
import { findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import { indexOfBoard, type ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import type { Clearing } from './clearings.ts'
import type { StateChange } from './on-time.ts'

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

/** The changes of one switch, newest first. */
interface GroupedChanges {
  _id: Types.ObjectId | null
  states: boolean[]
  times: Date[]
}

/** The most rows read for one chart: weeks of a busy home. Beyond that, only the newest are read. */
const changesMax = 50_000

/** For how many matching people a search also covers the whole home. */
const homesMax = 50

const newest = { createdAt: -1, _id: -1 } as const

type Found = Pick<ActionLogDocument, '_id'>
type Condition = QueryFilter<ActionLogDocument>

/** Storage operations of the action log, newest first; null if absent. */
export function createActionLogsRepository(model: Model<ActionLogDocument>) {
  const rowsOf = (whose: string): Condition => (whose === 'all' ? {} : { userId: whose })

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

  return {
    async list(
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
    },
    findById: (id: string) => model.findById(id).lean<ActionLogDocument>(),
    count: (): Promise<number> => model.estimatedDocumentCount(),
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    },
    deleteOfUser: (userId: string) => deleteInBatches(model, { userId }),
    deleteRows: ({ _id, before }: Clearing, onDeleted: (count: number) => void) =>
      deleteInBatches(model, { ...rowsOf(_id), createdAt: { $lte: before } }, onDeleted),
    /** Returns when the newest row was created, by whatever clock: of one account, or of `all`; null if there is none. */
    async newestOf(whose: string): Promise<Date | null> {
      const row = await model.findOne(rowsOf(whose), { createdAt: 1 }).sort({ createdAt: -1 }).lean<ActionLogDocument>()
      return row?.createdAt ?? null
    },
    /** Anonymizes what a person did to other people's switches. */
    async forgetPerson(userId: string): Promise<void> {
      for await (const ids of inWindows(model, { 'cause.userId': userId })) {
        const theirs = { _id: { $in: ids } }
        await model.updateMany(
          { ...theirs, kind: 'notice' },
          { $set: { description: 'The whole action log was cleared' } }
        )
        await model.updateMany(theirs, {
          $set: { userName: '' },
          $unset: { userPhone: 1, 'cause.userId': 1, 'cause.userName': 1 }
        })
      }
    },

    /**
     * Returns the changes since `since` by switch, oldest first: of one account, or of one switch with any owner. The
     * database groups them, because reading each row as a document of its own takes several times as long.
     */
    async changesSince(
      of: { userId?: string; deviceId?: string; switchId?: string },
      since: Date
    ): Promise<Map<string, StateChange[]>> {
      const ids = Object.fromEntries(Object.entries(of).map(([field, id]) => [field, new Types.ObjectId(id)]))
      const grouped = model
        .aggregate<GroupedChanges>()
        .match({ ...ids, createdAt: { $gte: since }, kind: 'change', state: { $ne: null } })
        .sort({ createdAt: -1 })
        .limit(changesMax)
        .group({ _id: '$switchId', states: { $push: '$state' }, times: { $push: '$createdAt' } })
      const groups = await (of.deviceId === undefined ? grouped : grouped.hint(indexOfBoard))
      return new Map(groups.map((group) => [String(group._id), changesOf(group)]))
    },
    /** Returns the state of a switch at `before`, by its last change before that; null if there is none. */
    async stateBefore(
      of: { userId?: string; deviceId: string; switchId: string },
      before: Date
    ): Promise<boolean | null> {
      const row = await model
        .findOne({ ...of, createdAt: { $lt: before }, kind: 'change' }, { state: 1 })
        .sort({ createdAt: -1 })
        .hint(indexOfBoard)
        .lean<Pick<ActionLogDocument, 'state'>>()
      return row?.state ?? null
    }
  }
}
export type ActionLogsRepository = ReturnType<typeof createActionLogsRepository>

const changesOf = ({ states, times }: GroupedChanges): StateChange[] =>
  states.map((state, index) => ({ state, at: times[index]?.getTime() ?? 0 })).toReversed()
