import { dayMs } from '@batti/kit/durations'
import { Types, type Model } from 'mongoose'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import { inPages } from '../../platform/store/batches/in-pages.ts'
import type { DeviceDocument } from '../registry/device.model.ts'
import type { ActionLogDocument } from './action-log.model.ts'
import { beginBoot } from './apply-report.ts'
import { clockSetMs, isAfterMark } from './state-mark.ts'

type LoggedChange = Pick<ActionLogDocument, 'deviceId' | 'switchIndex' | 'state' | 'speed' | 'report' | 'createdAt'>
export type StoredState = Pick<
  DeviceDocument,
  'switch' | 'speed' | 'bootId' | 'seq' | 'earlierBoots' | 'stateAt' | 'conn'
>

type Logs = Model<ActionLogDocument>

const secondMs = 1000
/** Applies to boards what was logged after `whole`, by the process that wrote it. */
export async function restoreStates(
  { devices, actionLogs }: { devices: Model<DeviceDocument>; actionLogs: Logs },
  whole: Types.ObjectId | null
): Promise<number> {
  if (whole === null) return 0
  const boards = new Map<string, Restoring>()
  for await (const page of changesAfter(actionLogs, whole)) {
    const byBoard = Map.groupBy(page, ({ deviceId }) => String(deviceId))
    for (const ids of inBatches([...byBoard.keys()].filter((id) => !boards.has(id)))) {
      const found = await devices.find({ _id: { $in: ids } }).lean<DeviceDocument[]>()
      for (const board of found) boards.set(String(board._id), createRestoring(board))
    }
    for (const [id, rows] of byBoard) boards.get(id)?.take(rows)
  }
  const changes = [...boards].flatMap(([id, restoring]) => {
    const after = restoring.result()
    return after === null ? [] : [{ updateOne: { filter: { _id: new Types.ObjectId(id) }, update: { $set: after } } }]
  })
  for (const batch of inBatches(changes)) await devices.collection.bulkWrite(batch, { ordered: false })
  return changes.length
}

const keyAt = (ms: number): Types.ObjectId => Types.ObjectId.createFromTime(Math.floor(ms / secondMs))

/**
 * Yields the changes with ids after the mark, in pages. The query names nothing but the ids: a condition without an index
 * might skip more rows than one call can read, and the process would not start.
 */
async function* changesAfter(actionLogs: Logs, mark: Types.ObjectId): AsyncGenerator<LoggedChange[]> {
  const fields = { kind: 1, deviceId: 1, switchIndex: 1, state: 1, speed: 1, report: 1, createdAt: 1 } as const
  const markedAt = mark.getTimestamp().getTime()
  const now = new Types.ObjectId().getTimestamp().getTime()
  const keys = { _id: { $gte: keyAt(markedAt - clockSetMs), $lt: keyAt(Math.max(markedAt, now) + dayMs) } }
  for await (const page of inPages<ActionLogDocument, keyof typeof fields>(actionLogs, keys, fields)) {
    yield page.filter(({ _id, kind }) => kind === 'change' && isAfterMark(_id, mark))
  }
}

interface Restoring {
  take(rows: readonly LoggedChange[]): void
  /** Returns null if nothing changed. */
  result(): StoredState | null
}

/** Applies rows of its log to a board's state. Rows must come in the order in which they were written. */
export function createRestoring(board: StoredState): Restoring {
  const after: StoredState = {
    switch: [...board.switch],
    speed: [...board.speed],
    bootId: board.bootId,
    seq: board.seq,
    earlierBoots: [...board.earlierBoots],
    stateAt: board.stateAt,
    conn: board.conn
  }
  /** By outlet, the seq of the report that its state is from: a late report does not undo a newer one. */
  let newest = new Map<number, number>()
  let isChanged = false
  return {
    take(rows) {
      for (const { report, switchIndex, state, speed, createdAt } of rows) {
        if (report === null || switchIndex === null || state === null || switchIndex >= after.switch.length) continue
        if (after.earlierBoots.includes(report.bootId)) continue
        if (report.bootId !== after.bootId) {
          beginBoot(after, report.bootId)
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
    },
    result: () => (isChanged ? after : null)
  }
}
