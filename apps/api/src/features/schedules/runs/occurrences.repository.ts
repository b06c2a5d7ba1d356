import { Types, type Model } from 'mongoose'
import { commandMax, inBatches } from '../../../platform/store/batches/in-batches.ts'
import { insertNew } from '../../../platform/store/batches/insert-new.ts'
import type { Occurrence, Phase } from '../timing/next-run.ts'
import type { OccurrenceDocument, OccurrenceState } from './occurrence.model.ts'
import type { ScheduleDocument } from '../schedule.model.ts'

/** The result of an occurrence. */
export interface OccurrenceEnd {
  id: string
  state: Exclude<OccurrenceState, 'firing'>
  reason: string | null
  endedAt: Date
  claimedBy: string
}

/** Who claims occurrences, and until when others leave them alone. */
export interface Claim {
  by: string
  at: Date
  until: Date
}

/** Returns `<scheduleId>:<phase>:<local date>`, plus the plan's revision if its times were changed. */
function occurrenceKey(schedule: Pick<ScheduleDocument, '_id' | 'planRev'>, phase: Phase, date: string): string {
  const key = `${String(schedule._id)}:${phase}:${date}`
  return schedule.planRev === 0 ? key : `${key}:${schedule.planRev}`
}

export const scheduleIdOf = (key: string): string => key.slice(0, key.indexOf(':'))

/** Returns the row of an occurrence that is about to fire. */
export function occurrenceRow(
  schedule: ScheduleDocument,
  occurrence: Pick<Occurrence, 'phase' | 'date' | 'isShifted'> & { at: Date },
  claim: Claim
): OccurrenceDocument {
  const isStart = occurrence.phase === 'start'
  return {
    _id: occurrenceKey(schedule, occurrence.phase, occurrence.date),
    scheduleId: schedule._id,
    deviceId: schedule.deviceId,
    switchIndex: schedule.switchIndex,
    phase: occurrence.phase,
    action: isStart ? schedule.startAction : schedule.endAction,
    time: isStart ? schedule.startTime : schedule.endTime,
    dueAt: occurrence.at,
    isShifted: occurrence.isShifted,
    state: 'firing',
    reason: null,
    claimedBy: claim.by,
    claimedAt: claim.at,
    leaseUntil: claim.until,
    endedAt: null,
    byBoard: false
  }
}

/** Storage operations of occurrences. */
export function createOccurrencesRepository(model: Model<OccurrenceDocument>) {
  // Uses the driver directly: all fields are our own, and ten thousand may be due in one minute.
  const collection = model.db.collection<OccurrenceDocument>(model.collection.collectionName)

  /** Inserts rows that do not exist yet, and returns those inserted. The unique key decides between api instances. */
  const claim = (rows: readonly OccurrenceDocument[]): Promise<OccurrenceDocument[]> =>
    insertNew(rows, (batch) => collection.insertMany(batch, { ordered: false }))

  return {
    claim,
    /** Returns everything that fires at these instants, whichever instance claimed it. */
    findSameInstants: (dueAts: readonly Date[]) =>
      model
        .find(
          { dueAt: { $in: [...dueAts] }, state: { $nin: ['superseded', 'skipped'] } },
          { deviceId: 1, switchIndex: 1, dueAt: 1, phase: 1 }
        )
        .batchSize(commandMax)
        .lean<Pick<OccurrenceDocument, '_id' | 'deviceId' | 'switchIndex' | 'dueAt' | 'phase'>[]>(),

    /** Ends occurrences. One that another instance has taken over is not missed yet: its command may still succeed. */
    async end(ends: readonly OccurrenceEnd[]): Promise<void> {
      for (const batch of inBatches(ends)) {
        await collection.bulkWrite(
          batch.map(({ id, claimedBy, ...fields }) => ({
            updateOne: {
              filter: { _id: id, state: 'firing', ...(fields.state === 'missed' ? { claimedBy } : {}) },
              update: { $set: fields }
            }
          })),
          { ordered: false }
        )
      }
    },
    /** Claims occurrences that their owner has released, or could not finish because it died. */
    async takeOver({ by, at, until }: Claim): Promise<OccurrenceDocument[]> {
      const expired = { state: 'firing', leaseUntil: { $lte: at } } as const
      // Each document is claimed once, by the first instance to write its name.
      const { modifiedCount } = await model.updateMany(expired, { $set: { claimedBy: by, leaseUntil: until } })
      if (modifiedCount === 0) return []
      return model.find({ state: 'firing', leaseUntil: until, claimedBy: by }).lean<OccurrenceDocument[]>()
    },
    /** Releases claims until `until`, when they are checked again. */
    async postpone(ids: readonly string[], until: Date): Promise<void> {
      if (ids.length > 0) {
        await model.updateMany({ _id: { $in: [...ids] }, state: 'firing' }, { $set: { leaseUntil: until } })
      }
    },

    /** Returns which of the ids are recorded as missed. */
    async findMissed(ids: readonly string[]): Promise<Set<string>> {
      const rows = await model
        .find({ _id: { $in: [...ids] }, state: 'missed' }, { _id: 1 })
        .lean<Pick<OccurrenceDocument, '_id'>[]>()
      return new Set(rows.map(({ _id }) => _id))
    },

    /** Deletes occurrences recorded as missed that are due only after `at`, so that they can fire. Returns their ids. */
    async forgetMissedAfter(at: Date): Promise<string[]> {
      const rows = await model
        .find({ dueAt: { $gt: at }, state: 'missed' }, { _id: 1 })
        .lean<Pick<OccurrenceDocument, '_id'>[]>()
      const ids = rows.map(({ _id }) => _id)
      for (const batch of inBatches(ids)) await model.deleteMany({ _id: { $in: batch }, state: 'missed' })
      return ids
    },

    /** Records that the board has run an occurrence that was missed or not ended yet. Returns its previous state. */
    async confirm(id: string, how: { endedAt: Date; byBoard: boolean }): Promise<'missed' | 'firing' | null> {
      const before = await model
        .findOneAndUpdate(
          { _id: id, state: { $in: ['firing', 'missed'] } },
          { $set: { state: 'confirmed', reason: null, ...how } },
          { returnDocument: 'before' }
        )
        .lean<OccurrenceDocument>()
      return before?.state === 'missed' ? 'missed' : before === null ? null : 'firing'
    },
    /** Returns occurrences of one phase of a schedule with a local date from `first` to `last`. */
    findBetween: (scheduleId: string, phase: Phase, dates: { first: string; last: string }) =>
      model
        .find({ _id: { $gte: `${scheduleId}:${phase}:${dates.first}`, $lt: `${scheduleId}:${phase}:${dates.last};` } })
        .lean<OccurrenceDocument[]>(),

    /**
     * Supersedes a due but unclaimed occurrence of a schedule that was just changed. Returns whether it was too late for
     * that: an instance fires it, or has fired it.
     */
    async supersede(schedule: ScheduleDocument, now: Date): Promise<boolean> {
      const { next } = schedule
      if (next === null || next.at > now) return false
      const row = occurrenceRow(schedule, next, { by: '', at: now, until: now })
      const inserted = await claim([{ ...row, state: 'superseded', reason: 'the schedule was changed', endedAt: now }])
      return inserted.length === 0
    },
    /** Skips occurrences that are claimed but have not fired. */
    async skipOfSchedules(scheduleIds: readonly string[], reason: string): Promise<void> {
      if (scheduleIds.length === 0) return
      const ids = scheduleIds.map((id) => new Types.ObjectId(id))
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
