import { hourMs } from '@batti/kit/durations'
import type { Model, QueryFilter, Types } from 'mongoose'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { countByField } from '../../platform/store/lists/count-by-field.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { hasKey, type TextSearch } from '../../platform/store/lists/search-keys.ts'
import { inPages } from '../../platform/store/batches/in-pages.ts'
import { findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import { commandMax } from '../../platform/store/batches/in-batches.ts'
import type { ScheduleDocument } from './schedule.model.ts'

export interface ScheduleFilter {
  /** Undefined: schedules of all accounts. */
  userId?: string
  deviceId?: string
  search?: string | undefined
  /** Boards and switches whose name matches the search; null if there are too many. */
  orDeviceIds?: readonly string[] | null
  orSwitchIds?: readonly string[] | null
}

export type NewSchedule = Omit<
  ScheduleDocument,
  '_id' | 'createdAt' | 'updatedAt' | 'userId' | 'deviceId' | 'switchId' | 'planRev' | 'list' | 'searchKeys'
> & { userId: string; deviceId: string; switchId: string }

/** One step of a schedule's plan: from the occurrence it waited for to the next. */
export interface PlanStep {
  schedule: ScheduleDocument
  to: Pick<ScheduleDocument, 'next' | 'nextRunAt' | 'isActive' | 'ranOut'>
}

type Waiting = Pick<ScheduleDocument, '_id' | 'next' | 'planRev'>

/** The length of a day on which clocks go forward. */
const shortestDayMs = 23 * hourMs
/** The fields that a plan is computed from. */
const planFields = {
  deviceId: 1,
  startTime: 1,
  endTime: 1,
  repeatType: 1,
  repeatDays: 1,
  endDate: 1,
  runDate: 1,
  timezone: 1,
  planRev: 1,
  beforeSetBack: 1,
  next: 1,
  nextRunAt: 1
} as const
type PlanField = keyof typeof planFields
/** What a plan is computed from. */
export type WaitingSchedule = Pick<ScheduleDocument, '_id' | PlanField>

const sortFields: Readonly<Record<string, string>> = {
  device: 'list.device',
  deviceId: 'list.device',
  switch: 'list.switch',
  switchId: 'list.switch'
}

function searchOf({ search, orDeviceIds = [], orSwitchIds = [] }: ScheduleFilter): TextSearch | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const named = [{ deviceId: { $in: orDeviceIds ?? [] } }, { switchId: { $in: orSwitchIds ?? [] } }]
  const columns = ['label', 'list.device', 'list.deviceType', 'list.switch']
  return {
    byKeys: orDeviceIds === null || orSwitchIds === null ? null : [hasKey('label', text), ...named],
    byReading: [...columns.map((field) => ({ [field]: containsText(text) })), ...named]
  }
}

/** Storage operations of schedules; null if absent. */
export function createSchedulesRepository(model: Model<ScheduleDocument>, columns: ListColumns) {
  function conditionOf(filter: ScheduleFilter): QueryFilter<ScheduleDocument> {
    return {
      ...(filter.userId === undefined ? {} : { userId: filter.userId }),
      ...(filter.deviceId === undefined ? {} : { deviceId: filter.deviceId })
    }
  }

  return {
    async list(
      filter: ScheduleFilter,
      sort: string | undefined,
      page: Page
    ): Promise<{ schedules: ScheduleDocument[]; total: number }> {
      const usual = { createdAt: filter.userId === undefined ? (-1 as const) : (1 as const) }
      const order = orderOf(sort, usual, sortFields)
      const found = await findSortedPage(model, conditionOf(filter), { order, page, search: searchOf(filter) })
      return { schedules: found.rows, total: found.total }
    },
    /** Counts the schedules of each of these people. */
    async countByUser(userIds: readonly string[]): Promise<Map<string, number>> {
      return countByField(model, 'userId', userIds)
    },
    findById: (id: string) => model.findById(id).lean<ScheduleDocument>(),
    findByDevice: (deviceId: string) => model.find({ deviceId }).lean<ScheduleDocument[]>(),
    count: (): Promise<number> => model.estimatedDocumentCount(),
    countOfUser: (userId: string, madeBefore?: Types.ObjectId): Promise<number> =>
      model.countDocuments({ userId, ...before(madeBefore) }),
    countOfDevice: (deviceId: string, madeBefore?: Types.ObjectId): Promise<number> =>
      model.countDocuments({ deviceId, ...before(madeBefore) }),
    async insert(fields: NewSchedule): Promise<ScheduleDocument> {
      const created = (await model.create({ ...fields, planRev: 0 })).toObject()
      await columns.boardsChanged({ ids: [fields.deviceId] })
      await columns.homesChanged([fields.userId])
      return created
    },
    /**
     * Changes a schedule that still waits for the same occurrence as `before`; returns false if it does not, or is gone.
     * `newTimes`: occurrences of the same day become new ones.
     */
    async update(before: ScheduleDocument, fields: Partial<NewSchedule>, newTimes: boolean): Promise<boolean> {
      const { matchedCount } = await model.updateOne(stillWaiting(before), {
        $set: fields,
        ...(newTimes ? { $inc: { planRev: 1 } } : {})
      })
      if (matchedCount === 0) return false
      const { deviceId, switchId, userId = String(before.userId) } = fields
      if (deviceId !== undefined || switchId !== undefined) {
        await columns.boardsChanged({ ids: [deviceId ?? before.deviceId] })
      }
      if (userId !== String(before.userId)) await columns.homesChanged([userId, String(before.userId)])
      return true
    },
    /** Returns whether there were any. */
    async setIndexOf(switchId: string, switchIndex: number): Promise<boolean> {
      return (await model.updateMany({ switchId }, { switchIndex })).matchedCount > 0
    },
    async delete(id: string): Promise<boolean> {
      const gone = await model.findByIdAndDelete(id).lean<ScheduleDocument>()
      if (gone !== null) await columns.homesChanged([String(gone.userId)])
      return gone !== null
    },
    /** Returns the boards of the deleted schedules. */
    async deleteWhere(
      of: { deviceId: string } | { switchId: string } | { userId: string }
    ): Promise<{ deviceIds: string[]; scheduleIds: string[] }> {
      const gone = await model
        .find(of, { deviceId: 1, userId: 1 })
        .lean<Pick<ScheduleDocument, '_id' | 'deviceId' | 'userId'>[]>()
      if (gone.length > 0) {
        await model.deleteMany(of)
        await columns.homesChanged([...new Set(gone.map(({ userId }) => String(userId)))])
      }
      return {
        deviceIds: [...new Set(gone.map(({ deviceId }) => String(deviceId)))],
        scheduleIds: gone.map(({ _id }) => String(_id))
      }
    },

    /** Returns what is due at `now`, the longest overdue first. */
    findDue: (now: Date, limit: number) =>
      model
        .find({ nextRunAt: { $lte: now } })
        .sort({ nextRunAt: 1 })
        .limit(limit)
        .batchSize(commandMax)
        .lean<ScheduleDocument[]>(),
    /** Advances plans. A plan that was changed meanwhile is kept. */
    async advance(steps: readonly PlanStep[]): Promise<void> {
      if (steps.length === 0) return
      await model.collection.bulkWrite(
        steps.map(({ schedule, to }) => ({
          updateOne: {
            filter: stillWaiting(schedule),
            update: { $set: to }
          }
        })),
        { ordered: false }
      )
    },
    /** Returns plans made with another time zone database, the next due first. */
    findPlannedOtherwise: (tzVersion: string, limit: number) =>
      model
        .find({ nextRunAt: { $gt: new Date(0) }, tzVersion: { $ne: tzVersion } })
        .sort({ nextRunAt: 1 })
        .limit(limit)
        .lean<ScheduleDocument[]>(),
    /**
     * Returns schedules that may skip their next occurrence. Two starts of a schedule are a day apart, so a start less
     * than a day away is always the next one.
     */
    findMaybeSkipping(now: Date) {
      const soon = new Date(now.getTime() + shortestDayMs)
      const condition: QueryFilter<ScheduleDocument> = {
        $or: [{ nextRunAt: { $gt: soon } }, { nextRunAt: { $gt: now }, 'next.phase': 'end' }]
      }
      return inPages<ScheduleDocument, PlanField>(model, condition, planFields)
    },
    /** Returns those schedules that wait for an occurrence. */
    findWaiting: (ids: readonly string[]) =>
      model.find({ _id: { $in: [...ids] }, nextRunAt: { $ne: null } }, planFields).lean<WaitingSchedule[]>(),
    /** Returns those schedules that ran out after `at`. */
    findRanOutAfter: (ids: readonly string[], at: Date) =>
      model
        .find({ _id: { $in: [...ids] }, isActive: false, 'ranOut.at': { $gt: at } }, { ...planFields, ranOut: 1 })
        .lean<Pick<ScheduleDocument, '_id' | PlanField | 'ranOut'>[]>(),
    async replan(before: Waiting, fields: Partial<ScheduleDocument>): Promise<void> {
      await model.updateOne(stillWaiting(before), { $set: fields })
    }
  }
}
export type SchedulesRepository = ReturnType<typeof createSchedulesRepository>

const before = (id: Types.ObjectId | undefined) => (id === undefined ? {} : { _id: { $lt: id } })

/**
 * Optimistic lock: the first to advance the plan wins, and the other checks again. Does not use `nextRunAt`, because ten
 * thousand schedules may share it, and its index could be preferred to that of `_id`.
 */
const stillWaiting = ({ _id, next, planRev }: Waiting) => ({ _id, planRev, 'next.at': next?.at ?? null })
