import { Types, type Model } from 'mongoose'
import type { ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import type { MissedLog } from './runs/missed-notices.ts'

/** An outlet that a schedule was to switch, claimed at `claimedAt`. */
interface ScheduleClaim {
  _id: string
  deviceId: Types.ObjectId
  switchIndex: number
  scheduleId: Types.ObjectId
  claimedAt: Date
}

/** The rows of schedules in the action log. */
export function createScheduleLogsRepository(model: Model<ActionLogDocument>) {
  return {
    /** Idempotent: existing rows are kept. */
    async insertMissed(missed: readonly MissedLog[]): Promise<void> {
      for (const batch of inBatches(missed)) {
        await model.collection.bulkWrite(
          batch.map((each) => {
            const { _id, ...row } = missedRow(each)
            return { updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } }
          }),
          { ordered: false }
        )
      }
    },
    async deleteByIds(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await model.deleteMany({ _id: { $in: [...ids] } })
    },
    /** Returns the ids of claims whose schedule has switched its outlet since. */
    async findSwitchedBySchedule(claims: readonly ScheduleClaim[]): Promise<Set<string>> {
      const switched = new Set<string>()
      for (const batch of inBatches(claims)) {
        const since = new Date(Math.min(...batch.map(({ claimedAt }) => claimedAt.getTime())))
        const rows = await model
          .find(
            { deviceId: { $in: batch.map(({ deviceId }) => deviceId) }, createdAt: { $gte: since }, kind: 'change' },
            { deviceId: 1, switchIndex: 1, cause: 1, createdAt: 1 }
          )
          .lean<ActionLogDocument[]>()
        const latest = new Map<string, number>()
        for (const { deviceId, switchIndex, cause, createdAt } of rows) {
          const key = `${String(deviceId)}:${switchIndex}:${cause?.scheduleId}`
          latest.set(key, Math.max(latest.get(key) ?? 0, createdAt.getTime()))
        }
        for (const { _id, deviceId, switchIndex, scheduleId, claimedAt } of batch) {
          const at = latest.get(`${String(deviceId)}:${switchIndex}:${String(scheduleId)}`)
          if (at !== undefined && at >= claimedAt.getTime()) switched.add(_id)
        }
      }
      return switched
    }
  }
}

function missedRow(missed: MissedLog): ActionLogDocument {
  return {
    _id: new Types.ObjectId(missed.id),
    kind: 'missed',
    userId: missed.userId === null ? null : new Types.ObjectId(missed.userId),
    description: missed.description,
    userName: '',
    from: 'schedule',
    cause: { by: 'schedule', scheduleId: missed.scheduleId },
    deviceId: new Types.ObjectId(missed.deviceId),
    deviceMac: missed.deviceMac,
    switchId: missed.switchId === null ? null : new Types.ObjectId(missed.switchId),
    switchIndex: missed.switchIndex,
    switchName: missed.switchName,
    state: null,
    speed: null,
    commandId: null,
    report: null,
    occurrence: missed.occurrence,
    createdAt: missed.at
  }
}
