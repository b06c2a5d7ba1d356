import { Types, type Model, type QueryFilter } from 'mongoose'
import { deleteInBatches } from '../../platform/store/batches/delete-in-batches.ts'
import { inWindows } from '../../platform/store/batches/in-windows.ts'
import { indexOfBoard, type ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import { createActionLogPages } from './action-log-pages.ts'
import type { Clearing } from './clearings.ts'
import type { StateChange } from './on-time.ts'

/** The changes of one switch, newest first. */
interface GroupedChanges {
  _id: Types.ObjectId | null
  states: boolean[]
  times: Date[]
}

/** The most rows read for one chart: weeks of a busy home. Beyond that, only the newest are read. */
const changesMax = 50_000
/** Rows that one call reads: those of a whole chart would take a small machine longer than the deadline of a call. */
const changesPerCall = 10_000

type Condition = QueryFilter<ActionLogDocument>

/** Storage operations of the action log, newest first; null if absent. */
export function createActionLogsRepository(model: Model<ActionLogDocument>) {
  const rowsOf = (whose: string): Condition => (whose === 'all' ? {} : { userId: whose })

  return {
    list: createActionLogPages(model),
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
      const found = new Map<string, StateChange[]>()
      let createdAt: { $gte: Date; $lte?: Date } = { $gte: since }
      for (let rows = 0; rows < changesMax; rows += changesPerCall) {
        const grouped = model
          .aggregate<GroupedChanges>()
          .match({ ...ids, createdAt, kind: 'change', state: { $ne: null } })
          .sort({ createdAt: -1 })
          .limit(changesPerCall)
          .group({ _id: '$switchId', states: { $push: '$state' }, times: { $push: '$createdAt' } })
        const groups = await (of.deviceId === undefined ? grouped : grouped.hint(indexOfBoard))
        const isLast = groups.reduce((sum, { times }) => sum + times.length, 0) < changesPerCall
        const oldest = Math.min(...groups.map(({ times }) => times.at(-1)?.getTime() ?? Infinity))
        for (const group of groups) {
          const changes = found.get(String(group._id)) ?? []
          // The next call reads all rows of the oldest millisecond: this one may have missed some.
          changes.push(...changesOf(group).filter(({ at }) => isLast || at > oldest))
          found.set(String(group._id), changes)
        }
        if (isLast) break
        createdAt = { $gte: since, $lte: new Date(oldest) }
      }
      return new Map([...found].map(([switchId, changes]) => [switchId, changes.toReversed()]))
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
  states.map((state, index) => ({ state, at: times[index]?.getTime() ?? 0 }))
