import { createHash } from 'node:crypto'
import type { ChangeCause, ChangeSource, DeviceReport } from '@batti/contracts'
import { Schema, Types, type Connection, type Model } from 'mongoose'

export type ReportName = Pick<DeviceReport, 'bootId' | 'seq'>

/** The part of a cause that no other column holds; rows of earlier versions repeat the rest here. */
export type StoredCause = Omit<ChangeCause, 'from' | 'userName'>

export const storedCause = ({ by, userId, scheduleId }: ChangeCause): StoredCause => ({
  by,
  ...(userId === undefined ? {} : { userId }),
  ...(scheduleId === undefined ? {} : { scheduleId })
})

/** Returns the whole cause of a row. */
export function causeOfRow({
  cause,
  from,
  userName
}: Pick<ActionLogDocument, 'cause' | 'from' | 'userName'>): ChangeCause | null {
  return cause === null ? null : { ...cause, ...(userName === '' ? {} : { userName }), from }
}

/** One confirmed change of one outlet (`change`), something that did not happen (`missed`), or a notice (`notice`). */
export interface ActionLogDocument {
  _id: Types.ObjectId
  /** `notice`: says who cleared the log, in rows of earlier versions. */
  kind: 'change' | 'missed' | 'notice'
  userId: Types.ObjectId | null
  description: string
  userName: string
  /** Only in rows of earlier versions. */
  userPhone?: string | null
  from: ChangeSource
  cause: StoredCause | null
  deviceId: Types.ObjectId | null
  deviceMac: string | null
  switchId: Types.ObjectId | null
  switchIndex: number | null
  switchName: string | null
  state: boolean | null
  speed: number | null
  commandId: string | null
  /** How long the board took to confirm the command, in milliseconds. */
  tookMs?: number
  /** The report that the row is from. */
  report: { bootId: string; seq: number } | null
  /** In a row of a schedule: `<scheduleId>:<phase>:<local date>`. */
  occurrence?: string
  createdAt: Date
}

/** Derives a row's id from its report, so that every instance that receives the report makes the same id. */
export const sharedRowId = (deviceId: string, report: ReportName, switchIndex: number): Types.ObjectId =>
  new Types.ObjectId(
    createHash('sha256').update(`${deviceId}:${report.bootId}:${report.seq}:${switchIndex}`).digest().subarray(0, 12)
  )

/** A board's rows, newest first: fewer than its owner's. */
export const indexOfBoard = { deviceId: 1, createdAt: -1, _id: -1 } as const

/**
 * The collection with the most writes. Each index costs every row a page of the disk, so a switch's rows are found among its
 * board's, and one index serves both the full list and its retention (`log-retention.ts`). No value is stored twice, and
 * fields that most rows lack are left out.
 */
export function createActionLogModel(connection: Connection): Model<ActionLogDocument> {
  const schema = new Schema<ActionLogDocument>(
    {
      kind: { type: String, required: true },
      userId: { type: Schema.Types.ObjectId, default: null },
      description: { type: String, required: true },
      userName: { type: String, default: '' },
      userPhone: String,
      from: { type: String, required: true },
      cause: { type: Schema.Types.Mixed, default: null },
      deviceId: { type: Schema.Types.ObjectId, default: null },
      deviceMac: { type: String, default: null },
      switchId: { type: Schema.Types.ObjectId, default: null },
      switchIndex: { type: Number, default: null },
      switchName: { type: String, default: null },
      state: { type: Boolean, default: null },
      speed: { type: Number, default: null },
      tookMs: Number,
      commandId: { type: String, default: null },
      report: { type: Schema.Types.Mixed, default: null },
      occurrence: String,
      createdAt: { type: Date, required: true }
    },
    { versionKey: false, collection: 'switchActionLogs' }
  )
  schema.index({ userId: 1, createdAt: -1, _id: -1 })
  schema.index(indexOfBoard)
  schema.index({ createdAt: -1, _id: -1 })
  return connection.model<ActionLogDocument>('ActionLog', schema)
}
