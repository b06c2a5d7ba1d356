import type { Model } from 'mongoose'
import { inBatches } from '../../../platform/store/batches/in-batches.ts'
import { insertNew } from '../../../platform/store/batches/insert-new.ts'
import type { ScheduleDocument } from '../schedule.model.ts'
import type { Occurrence, Phase } from '../timing/next-run.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'

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

/** What an occurrence is of, and when. */
export type Planned = Pick<OccurrenceDocument, '_id' | 'phase' | 'dueAt'>
export const plannedFields = { _id: 1, phase: 1, dueAt: 1 } as const

/**
 * Returns the runs whose ends are the first that these schedules have to repeat: by schedule, the local date on which the run
 * ends.
 */
export function endsOfRuns(occurrences: readonly Planned[]): Map<string, string> {
  const first = new Map<string, Planned>()
  for (const each of occurrences.toSorted((one, other) => other.dueAt.getTime() - one.dueAt.getTime()))
    first.set(scheduleIdOf(each._id), each)
  const ends = [...first].filter(([, { phase }]) => phase === 'end')
  return new Map(ends.map(([scheduleId, { _id }]) => [scheduleId, _id.split(':')[2] ?? '']))
}

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

/** Who fires an occurrence: one instance at a time, until its lease ends. */
export function createOccurrenceClaims(model: Model<OccurrenceDocument>) {
  // Uses the driver directly: all fields are our own, and ten thousand may be due in one minute.
  const collection = model.db.collection<OccurrenceDocument>(model.collection.collectionName)

  return {
    /** Inserts rows that do not exist yet, and returns those inserted. The unique key decides between api instances. */
    claim: (rows: readonly OccurrenceDocument[]): Promise<OccurrenceDocument[]> =>
      insertNew(rows, (batch) => collection.insertMany(batch, { ordered: false })),
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

    /** Ends leases at `until` that end after `longest`, as a clock that was ahead gave them. Returns their occurrences. */
    async shortenLeases(longest: Date, until: Date): Promise<Planned[]> {
      const tooLong = { state: 'firing', leaseUntil: { $gt: longest } } as const
      const rows = await model.find(tooLong, plannedFields).lean<Planned[]>()
      if (rows.length > 0) await model.updateMany(tooLong, { $set: { leaseUntil: until } })
      return rows
    },
    /** Deletes claimed occurrences that have not fired, so that they can be claimed at their time. */
    async forgetClaimed(rows: readonly Pick<OccurrenceDocument, '_id' | 'claimedBy'>[]): Promise<void> {
      for (const batch of inBatches(rows)) {
        const ids = batch.map(({ _id }) => _id)
        await model.deleteMany({ _id: { $in: ids }, state: 'firing', claimedBy: batch[0]?.claimedBy ?? '' })
      }
    }
  }
}
