import type { ActionLogRecord } from '@batti/contracts'
import { causeOfRow, type ActionLogDocument } from '../../boards/reports/action-log.model.ts'

const id = (value: { toString(): string } | null): string | null => value?.toString() ?? null

/** Presents a log row; `phone` is that of the person who caused it, null where the viewer may not read it. */
export function presentActionLog(row: ActionLogDocument, phone: string | null): ActionLogRecord {
  return {
    _id: String(row._id),
    kind: row.kind,
    description: row.description,
    userName: row.userName,
    userPhone: phone,
    from: row.from,
    cause: causeOfRow(row),
    deviceId: id(row.deviceId),
    deviceMac: row.deviceMac,
    switchId: id(row.switchId),
    switchIndex: row.switchIndex,
    switchName: row.switchName,
    state: row.state,
    speed: row.speed,
    commandId: row.commandId,
    report: row.report,
    createdAt: row.createdAt.toISOString()
  }
}
