import { Types, type Model } from 'mongoose'
import { commandMax, inBatches } from '../../../platform/store/batches/in-batches.ts'
import type { Phase } from '../timing/next-run.ts'
import type { OccurrenceDocument, OccurrenceState } from './occurrence.model.ts'
import { createOccurrenceClaims, occurrenceRow, plannedFields, type Planned } from './occurrence-claims.ts'
import type { ScheduleDocument } from '../schedule.model.ts'

/** The result of an occurrence. */
export interface OccurrenceEnd {
  id: string
  state: Exclude<OccurrenceState, 'firing'>
  reason: string | null
  endedAt: Date
  claimedBy: string
}

/** How an occurrence ran. */
export type ConfirmedAs = Pick<OccurrenceDocument, 'byBoard'> & { state: 'confirmed' | 'late'; endedAt: Date }

/**
 * Selects an occurrence that may end so. One that another instance has taken over is not missed yet: its command may still
 * succeed. One that was skipped while its command was on its way has run if the board says so.
 */
function mayEnd({ id: _id, state, claimedBy }: OccurrenceEnd) {
  if (state === 'missed') return { _id, state: 'firing', claimedBy } as const
  const hasRun = state === 'confirmed' || state === 'late'
  return { _id, state: { $in: hasRun ? ['firing' as const, 'skipped' as const] : ['firing' as const] } }
}

/** Storage operations of occurrences. */
export function createOccurrencesRepository(model: Model<OccurrenceDocument>) {
  // Uses the driver directly: all fields are our own, and ten thousand may be due in one minute.
  const collection = model.db.collection<OccurrenceDocument>(model.collection.collectionName)
  const claims = createOccurrenceClaims(model)

  return {
    ...claims,
    /** Returns everything that fires at these instants, whichever instance claimed it. */
    findSameInstants: (dueAts: readonly Date[]) =>
      model
        .find(
          { dueAt: { $in: [...dueAts] }, state: { $nin: ['superseded', 'skipped'] } },
          { deviceId: 1, switchIndex: 1, dueAt: 1, phase: 1 }
        )
        .batchSize(commandMax)
        .lean<Pick<OccurrenceDocument, '_id' | 'deviceId' | 'switchIndex' | 'dueAt' | 'phase'>[]>(),

    async end(ends: readonly OccurrenceEnd[]): Promise<void> {
      for (const batch of inBatches(ends)) {
        await collection.bulkWrite(
          batch.map((end) => {
            const { id: _id, claimedBy: _by, ...fields } = end
            return { updateOne: { filter: mayEnd(end), update: { $set: fields } } }
          }),
          { ordered: false }
        )
      }
    },
    /** Returns which of the ids are recorded as missed. */
    async findMissed(ids: readonly string[]): Promise<Set<string>> {
      const rows = await model
        .find({ _id: { $in: [...ids] }, state: 'missed' }, { _id: 1 })
        .lean<Pick<OccurrenceDocument, '_id'>[]>()
      return new Set(rows.map(({ _id }) => _id))
    },

    /** Marks occurrences that are due only after `at`, but recorded as missed, and returns them. */
    async doubtMissedAfter(at: Date): Promise<Planned[]> {
      const missed = { dueAt: { $gt: at }, state: 'missed' } as const
      await model.updateMany(missed, { $set: { isDoubted: true } })
      return model.find(missed, plannedFields).lean<Planned[]>()
    },
    /** Deletes doubted ones that match, so that they can fire. Returns their ids. */
    async forgetDoubted(
      which: { _id: { $in: string[] } } | { dueAt: { $gt: Date }; claimedAt?: { $gte: Date } }
    ): Promise<string[]> {
      const doubted = { state: 'missed', isDoubted: true } as const
      const rows = await model.find({ ...which, ...doubted }, { _id: 1 }).lean<Pick<OccurrenceDocument, '_id'>[]>()
      const ids = rows.map(({ _id }) => _id)
      for (const batch of inBatches(ids)) await model.deleteMany({ ...doubted, _id: { $in: batch } })
      return ids
    },

    /** Records that the board has run an occurrence that was thought not to have run. Returns whether it was missed. */
    async confirm(id: string, how: ConfirmedAs): Promise<boolean> {
      const before = await model
        .findOneAndUpdate(
          { _id: id, state: { $in: ['firing', 'missed', 'skipped'] } },
          { $set: { reason: null, ...how } },
          { returnDocument: 'before' }
        )
        .lean<OccurrenceDocument>()
      return before?.state === 'missed'
    },
    /** Returns a board's occurrences of one phase of a schedule, also of a deleted one, that were due in this time. */
    findBetween: (
      { scheduleId, phase, deviceId }: { scheduleId: string; phase: Phase; deviceId: string },
      { first, last }: { first: Date; last: Date }
    ) =>
      model
        .find({
          _id: { $gte: `${scheduleId}:${phase}:`, $lt: `${scheduleId}:${phase};` },
          deviceId,
          dueAt: { $gte: first, $lte: last }
        })
        .lean<OccurrenceDocument[]>(),

    /**
     * Supersedes a due but unclaimed occurrence of a schedule that was just changed. Returns whether it was too late for
     * that: an instance fires it, or has fired it.
     */
    async supersede(schedule: ScheduleDocument, now: Date): Promise<boolean> {
      const { next } = schedule
      if (next === null || next.at > now) return false
      const row = occurrenceRow(schedule, next, { by: '', at: now, until: now })
      const inserted = await claims.claim([
        { ...row, state: 'superseded', reason: 'the schedule was changed', endedAt: now }
      ])
      return inserted.length === 0
    },
    /** Skips occurrences that are claimed but have not fired. */
    async skipOfSchedules(scheduleIds: readonly string[], reason: string): Promise<void> {
      if (scheduleIds.length === 0) return
      const ids = scheduleIds.map((id) => new Types.ObjectId(id))
      // Every lease ends after 1970: the condition lets the index of what fires serve the search.
      await model.updateMany(
        { state: 'firing', leaseUntil: { $gt: new Date(0) }, scheduleId: { $in: ids } },
        { $set: { state: 'skipped', reason } }
      )
    },
    async deleteOfSchedules(scheduleIds: readonly string[]): Promise<void> {
      if (scheduleIds.length === 0) return
      // Ids begin with the schedule's id; ';' is the character after ':'.
      await collection.bulkWrite(
        scheduleIds.map((id) => ({ deleteMany: { filter: { _id: { $gte: `${id}:`, $lt: `${id};` } } } })),
        { ordered: false }
      )
    }
  }
}
export type OccurrencesRepository = ReturnType<typeof createOccurrencesRepository>
