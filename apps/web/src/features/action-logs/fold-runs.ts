import type { ActionLogRecord } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { logSentence } from '#web/lib/records/log-sentence.ts'

export interface LogRun {
  /** The newest row: the final speed. */
  row: ActionLogRecord
  /** The rows before it, newest first. */
  earlier: readonly ActionLogRecord[]
}

/** The longest pause between two steps of one run. */
const runGapMs = minuteMs

const isLevel = ({ description }: ActionLogRecord): boolean =>
  logSentence(description)?.id.startsWith('logs.level.') === true

/** Folds the speeds that one person passed through on the way to the last into one run; the row `keptId` stays separate. */
export function foldRuns(rows: readonly ActionLogRecord[], keptId?: string): LogRun[] {
  const runs: { row: ActionLogRecord; earlier: ActionLogRecord[] }[] = []
  for (const row of rows) {
    const run = runs.at(-1)
    const last = run?.earlier.at(-1) ?? run?.row
    const belongs =
      last !== undefined &&
      row._id !== keptId &&
      last._id !== keptId &&
      row.switchId !== null &&
      row.switchId === last.switchId &&
      row.userName === last.userName &&
      row.from === last.from &&
      isLevel(row) &&
      isLevel(last) &&
      Date.parse(last.createdAt) - Date.parse(row.createdAt) <= runGapMs
    if (belongs) run?.earlier.push(row)
    else runs.push({ row, earlier: [] })
  }
  return runs
}
