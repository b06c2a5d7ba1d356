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

/** How an occurrence ran. */
export type ConfirmedAs = Pick<OccurrenceDocument, 'byBoard'> & { state: 'confirmed' | 'late'; endedAt: Date }

/** The lease of a claimed occurrence: longer than a command lives, but short enough for a takeover within 10 s. */
export const leaseMs = 9000

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
    /** Claims occurrences that their owner has released, or could not finish because it died. */
    async takeOver({ by, at, until }: Claim): Promise<OccurrenceDocument[]> {
      const expired = { state: 'firing', leaseUntil: { $lte: at } } as const
      // Each document is claimed once, by the first instance to write its name.
      const { modifiedCount } = await model.updateMany(expired, { $set: { claimedBy: by, leaseUntil: until } })
      if (modifiedCount === 0) return []
      return model.find({ state: 'firing', leaseUntil: until, claimedBy: by }).lean<OccurrenceDocument[]>()
    },
    /** Releases the claims of one instance until `until`, when they are checked again. */
    async postpone(rows: readonly Pick<OccurrenceDocument, '_id' | 'claimedBy'>[], until: Date): Promise<void> {
      const [first] = rows
      if (first === undefined) return
      const ids = rows.map(({ _id }) => _id)
      const claimed = { _id: { $in: ids }, state: 'firing', claimedBy: first.claimedBy } as const
      await model.updateMany(claimed, { $set: { leaseUntil: until } })
    },

    /** Ends leases at `until` that end after `longest`, as a clock that was ahead gave them. Returns their occurrences' ids. */
    async shortenLeases(longest: Date, until: Date): Promise<string[]> {
      const tooLong = { state: 'firing', leaseUntil: { $gt: longest } } as const
      const rows = await model.find(tooLong, { _id: 1 }).lean<Pick<OccurrenceDocument, '_id'>[]>()
      if (rows.length > 0) await model.updateMany(tooLong, { $set: { leaseUntil: until } })
      return rows.map(({ _id }) => _id)
    },
    /** Deletes claimed occurrences that have not fired, so that they can be claimed at their time. */
    async forgetClaimed(rows: readonly Pick<OccurrenceDocument, '_id' | 'claimedBy'>[]): Promise<void> {
      for (const batch of inBatches(rows)) {
        const ids = batch.map(({ _id }) => _id)
        await model.deleteMany({ _id: { $in: ids }, state: 'firing', claimedBy: batch[0]?.claimedBy ?? '' })
      }
    },

    /** Returns which of the ids are recorded as missed. */
    async findMissed(ids: readonly string[]): Promise<Set<string>> {
      const rows = await model
        .find({ _id: { $in: [...ids] }, state: 'missed' }, { _id: 1 })
        .lean<Pick<OccurrenceDocument, '_id'>[]>()
      return new Set(rows.map(({ _id }) => _id))
    },

    /** Marks occurrences that are due only after `at`, but recorded as missed. Returns their ids. */
    async doubtMissedAfter(at: Date): Promise<string[]> {
      const missed = { dueAt: { $gt: at }, state: 'missed' } as const
      await model.updateMany(missed, { $set: { isDoubted: true } })
      const rows = await model.find(missed, { _id: 1 }).lean<Pick<OccurrenceDocument, '_id'>[]>()
      return rows.map(({ _id }) => _id)
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
      const inserted = await claim([{ ...row, state: 'superseded', reason: 'the schedule was changed', endedAt: now }])
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
