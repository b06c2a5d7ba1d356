import type { ActionLogRecord } from '@batti/contracts'
import { logSentence } from '#web/lib/log-sentence.ts'

export interface LogRun {
  /** The newest: where the hand left it. */
  row: ActionLogRecord
  /** What it went through before, newest first. */
  earlier: readonly ActionLogRecord[]
}

/** Only steps of one hand belong together. */
const runGapMs = 60_000

const isLevel = ({ description }: ActionLogRecord): boolean =>
  logSentence(description)?.id.startsWith('logs.level.') === true

/** Speeds that a hand went through on its way are one thing that happened; the row with `keptId` stays a row of its own. */
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
