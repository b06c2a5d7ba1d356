import type { Model, QueryFilter } from 'mongoose'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { countByField } from '../../platform/store/count-by-field.ts'
import { findSortedPage, joinField } from '../../platform/store/sorted-page.ts'
import { commandMax } from '../../platform/store/in-batches.ts'
import type { ScheduleDocument } from './schedule.model.ts'

export interface ScheduleFilter {
  /** Undefined: everybody's. */
  userId?: string
  deviceId?: string
  search?: string | undefined
  /** Boards and switches whose name matches the search. */
  orDeviceIds?: readonly string[]
  orSwitchIds?: readonly string[]
}

export type NewSchedule = Omit<
  ScheduleDocument,
  '_id' | 'createdAt' | 'updatedAt' | 'userId' | 'deviceId' | 'switchId' | 'planRev'
> & { userId: string; deviceId: string; switchId: string }

/** One step of a schedule's plan: from the occurrence it waited for to the next. */
export interface PlanStep {
  schedule: ScheduleDocument
  to: Pick<ScheduleDocument, 'next' | 'nextRunAt' | 'isActive'>
}

const byName: Readonly<Record<string, ReturnType<typeof joinField>>> = {
  device: joinField(
    'devices',
    'deviceId',
    { $cond: [{ $in: ['$_joined.setName', ['', null]] }, '$_joined.deviceName', '$_joined.setName'] },
    '_byName'
  ),
  switch: joinField('switches', 'switchId', '$_joined.switchName', '_byName')
}

/** Storage verbs of schedules; absence is null. */
export function createSchedulesRepository(model: Model<ScheduleDocument>) {
  function conditionOf(filter: ScheduleFilter): QueryFilter<ScheduleDocument> {
    const text = filter.search?.trim() ?? ''
    const anyOf = [
      { label: containsText(text) },
      { deviceId: { $in: [...(filter.orDeviceIds ?? [])] } },
      { switchId: { $in: [...(filter.orSwitchIds ?? [])] } }
    ]
    return {
      ...(filter.userId === undefined ? {} : { userId: filter.userId }),
      ...(filter.deviceId === undefined ? {} : { deviceId: filter.deviceId }),
      ...(text === '' ? {} : { $or: anyOf })
    }
  }

  return {
    async list(
      filter: ScheduleFilter,
      sort: string | undefined,
      page: Page
    ): Promise<{ schedules: ScheduleDocument[]; total: number }> {
      const column = sort?.replace(/^-/, '') ?? ''
      const joins = byName[column]
      const usual = { createdAt: filter.userId === undefined ? (-1 as const) : (1 as const) }
      const order = orderOf(sort, usual, joins === undefined ? {} : { [column]: '_byName' })
      const found = await findSortedPage(model, conditionOf(filter), { order, page, joins })
      return { schedules: found.rows, total: found.total }
    },
    /** How many schedules each of these people has. */
    async countByUser(userIds: readonly string[]): Promise<Map<string, number>> {
      return countByField(model, 'userId', userIds)
    },
    findById: (id: string) => model.findById(id).lean<ScheduleDocument>(),
    findByDevice: (deviceId: string) => model.find({ deviceId }).lean<ScheduleDocument[]>(),
    count: (): Promise<number> => model.estimatedDocumentCount(),
    countOfUser: (userId: string): Promise<number> => model.countDocuments({ userId }),
    countOfDevice: (deviceId: string): Promise<number> => model.countDocuments({ deviceId }),
    async insert(fields: NewSchedule): Promise<ScheduleDocument> {
      return (await model.create({ ...fields, planRev: 0 })).toObject()
    },
    /**
     * Changes a schedule that still waits for what `before` waited for; false when it does not, or is gone.
     * `newTimes`: occurrences of the same day are others now.
     */
    async update(before: ScheduleDocument, fields: Partial<NewSchedule>, newTimes: boolean): Promise<boolean> {
      const { matchedCount } = await model.updateOne(stillWaiting(before), {
        $set: fields,
        ...(newTimes ? { $inc: { planRev: 1 } } : {})
      })
      return matchedCount === 1
    },
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    },
    /** Answers the boards whose schedules they were. */
    async deleteWhere(
      of: { deviceId: string } | { switchId: string } | { userId: string }
    ): Promise<{ deviceIds: string[]; scheduleIds: string[] }> {
      const gone = await model.find(of, { deviceId: 1 }).lean<Pick<ScheduleDocument, '_id' | 'deviceId'>[]>()
      if (gone.length > 0) await model.deleteMany(of)
      return {
        deviceIds: [...new Set(gone.map(({ deviceId }) => String(deviceId)))],
        scheduleIds: gone.map(({ _id }) => String(_id))
      }
    },

    /** What is due at `now`, the longest due first. */
    findDue: (now: Date, limit: number) =>
      model
        .find({ nextRunAt: { $lte: now } })
        .sort({ nextRunAt: 1 })
        .limit(limit)
        .batchSize(commandMax)
        .lean<ScheduleDocument[]>(),
    /** Moves plans on. One that was changed by somebody in between stays as they left it. */
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
    /** Plans that were made with another time zone database, the next due first. */
    findPlannedOtherwise: (tzVersion: string, limit: number) =>
      model
        .find({ nextRunAt: { $gt: new Date(0) }, tzVersion: { $ne: tzVersion } })
        .sort({ nextRunAt: 1 })
        .limit(limit)
        .lean<ScheduleDocument[]>(),
    async replan(before: ScheduleDocument, fields: Partial<ScheduleDocument>): Promise<void> {
      await model.updateOne(stillWaiting(before), { $set: fields })
    }
  }
}
export type SchedulesRepository = ReturnType<typeof createSchedulesRepository>

/**
 * Whoever moved the plan first has moved it; the other looks again. Not by `nextRunAt`: ten thousand have the same, and
 * an index on it would look like a way to the one document that `_id` names.
 */
const stillWaiting = ({ _id, next, planRev }: ScheduleDocument) => ({ _id, planRev, 'next.at': next?.at ?? null })
