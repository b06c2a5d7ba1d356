import { Types, type Model } from 'mongoose'
import { rememberedBoots } from '@batti/contracts'
import { inBatches } from '../../platform/store/in-batches.ts'
import type { DeviceDocument } from '../registry/device.model.ts'
import type { ActionLogDocument } from './action-log.model.ts'

type LoggedChange = Pick<ActionLogDocument, 'deviceId' | 'switchIndex' | 'state' | 'speed' | 'report' | 'createdAt'>
export type StoredState = Pick<
  DeviceDocument,
  'switch' | 'speed' | 'bootId' | 'seq' | 'earlierBoots' | 'stateAt' | 'conn'
>

/** Keys count seconds: those of the same second are read once more. */
const sameSecond = 1

/** Writes into the boards what the log tells of them since `whole`; what is older than a board's state changes nothing. */
export async function restoreStates(
  { devices, actionLogs }: { devices: Model<DeviceDocument>; actionLogs: Model<ActionLogDocument> },
  whole: Types.ObjectId | null
): Promise<number> {
  if (whole === null) return 0
  const from = Types.ObjectId.createFromTime(Math.floor(whole.getTimestamp().getTime() / 1000) - sameSecond)
  const fields = { deviceId: 1, switchIndex: 1, state: 1, speed: 1, report: 1, createdAt: 1 }
  const rows = await actionLogs
    .find({ _id: { $gte: from }, kind: 'change' }, fields)
    .sort({ _id: 1 })
    .lean<LoggedChange[]>()
  const byBoard = Map.groupBy(rows, ({ deviceId }) => String(deviceId))
  let restored = 0
  for (const ids of inBatches([...byBoard.keys()])) {
    const boards = await devices.find({ _id: { $in: ids } }).lean<DeviceDocument[]>()
    const changes = boards.flatMap((board) => {
      const after = stateAfter(board, byBoard.get(String(board._id)) ?? [])
      return after === null ? [] : [{ updateOne: { filter: { _id: board._id }, update: { $set: after } } }]
    })
    if (changes.length > 0) await devices.collection.bulkWrite(changes, { ordered: false })
    restored += changes.length
  }
  return restored
}

/** The state of a board after these rows of its log, in the order in which they were written; null: as it is stored. */
export function stateAfter(board: StoredState, rows: readonly LoggedChange[]): StoredState | null {
  const after: StoredState = {
    switch: [...board.switch],
    speed: [...board.speed],
    bootId: board.bootId,
    seq: board.seq,
    earlierBoots: [...board.earlierBoots],
    stateAt: board.stateAt,
    conn: board.conn
  }
  /** Which report of the boot an outlet's state is from: one that came late does not undo a later one. */
  let newest = new Map<number, number>()
  let isChanged = false
  for (const { report, switchIndex, state, speed, createdAt } of rows) {
    if (report === null || switchIndex === null || state === null || switchIndex >= after.switch.length) continue
    if (after.earlierBoots.includes(report.bootId)) continue
    if (report.bootId !== after.bootId) {
      if (after.bootId !== '') after.earlierBoots = [after.bootId, ...after.earlierBoots].slice(0, rememberedBoots - 1)
      Object.assign(after, { bootId: report.bootId, seq: 0, conn: 0 })
      newest = new Map()
    }
    if (report.bootId === board.bootId && report.seq <= board.seq) continue
    if (report.seq < (newest.get(switchIndex) ?? 0)) continue
    newest.set(switchIndex, report.seq)
    after.switch[switchIndex] = state
    after.speed[switchIndex] = speed ?? 0
    after.seq = Math.max(after.seq, report.seq)
    after.stateAt = Math.max(after.stateAt, createdAt.getTime())
    isChanged = true
  }
  return isChanged ? after : null
}
