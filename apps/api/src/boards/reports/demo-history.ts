import { changeSentence, type ChangeCause, type DemoChange, type DemoHistory } from '@batti/contracts'
import { createHash } from 'node:crypto'
import { Types, type Model } from 'mongoose'
import type { LiveDevice, NamedOutlet } from '../registry/live-device.ts'
import type { ActionLogDocument } from './action-log.model.ts'
import { changedBy } from './report-row.ts'

export interface DemoHistoryDeps {
  actionLogs: Model<ActionLogDocument>
  findDevice(id: string): Promise<LiveDevice | null>
}

/**
 * Writes a history into the action log as if boards had reported it. Idempotent after an interrupted start: a row's id is
 * derived from its switch and time.
 */
export function createDemoHistory({ actionLogs, findDevice }: DemoHistoryDeps) {
  return async ({ userName, changes }: DemoHistory): Promise<void> => {
    const wasOn = new Map<string, boolean>()
    const writes = []
    for (const change of changes) {
      const device = await findDevice(change.deviceId)
      const outlet = device?.outlets[change.switchIndex]
      if (device === null || device.userId === null || outlet === undefined || outlet.switchId === '') continue
      const cause = causeOf(change, device.userId, userName)
      const row = rowOf(device, outlet, change, { cause, wasOn: wasOn.get(outlet.switchId) ?? false })
      wasOn.set(outlet.switchId, change.on)
      writes.push({ updateOne: { filter: { _id: row._id }, update: { $setOnInsert: row }, upsert: true } })
    }
    if (writes.length > 0) await actionLogs.collection.bulkWrite(writes, { ordered: false })
  }
}

/** The id contains the row's own time, like the id of any other row. */
function keyOf(switchId: string, at: number): Types.ObjectId {
  const time = Buffer.alloc(4)
  time.writeUInt32BE(Math.floor(at / 1000))
  const rest = createHash('sha256').update(`${switchId}:${at}`).digest().subarray(0, 8)
  return new Types.ObjectId(Buffer.concat([time, rest]))
}

function causeOf({ by, scheduleId }: DemoChange, userId: string, userName: string): ChangeCause {
  if (by === 'user') return { by, userId, userName, from: 'web' }
  if (by === 'button') return { by, from: 'board' }
  return { by, from: 'schedule', ...(scheduleId === undefined ? {} : { scheduleId }) }
}

function rowOf(
  device: Pick<LiveDevice, 'id' | 'mac' | 'userId'>,
  { switchId, name, kind }: NamedOutlet,
  change: DemoChange,
  { cause, wasOn }: { cause: ChangeCause; wasOn: boolean }
): ActionLogDocument {
  const { on, level, at } = change
  return {
    _id: keyOf(switchId, at),
    ...changedBy(device, cause),
    description: changeSentence(name, wasOn, { kind, on, ...(level === undefined ? {} : { level }) }),
    switchId: new Types.ObjectId(switchId),
    switchIndex: change.switchIndex,
    switchName: name,
    state: on,
    speed: level ?? null,
    commandId: null,
    report: null,
    createdAt: new Date(at)
  }
}
