import { reportBacklogMin } from '@batti/contracts'
import type { ReportName } from './action-log.model.ts'

/** What a report had to log when its board was over its row limit. The report comes again, when its state is already known. */
export interface Postponed {
  changed: readonly number[]
  found: readonly number[]
}

/** Stores postponed rows by board and report. A report that names its outlets itself needs none. */
export function createPostponedRows() {
  const boards = new Map<string, Map<string, Postponed>>()
  const nameOf = ({ bootId, seq }: ReportName): string => `${bootId} ${seq}`
  return {
    note(deviceId: string, report: ReportName, outlets: Postponed): void {
      const known = boards.get(deviceId) ?? new Map<string, Postponed>()
      boards.set(deviceId, known.set(nameOf(report), outlets))
      for (const oldest of known.keys()) {
        if (known.size <= reportBacklogMin) break
        known.delete(oldest)
      }
    },
    of: (deviceId: string, report: ReportName): Postponed | undefined => boards.get(deviceId)?.get(nameOf(report)),
    /** Removes the entry, because the report is logged now. */
    drop(deviceId: string, report: ReportName): void {
      const known = boards.get(deviceId)
      if (known?.delete(nameOf(report)) === true && known.size === 0) boards.delete(deviceId)
    },
    forget: (deviceId: string): void => void boards.delete(deviceId)
  }
}
