import type { ActionLogRecord } from '@batti/contracts'
import { groupBy } from '#web/lib/group-by.ts'

export interface LogDay<Row> {
  /** Midnight of the day in ms, by the browser's calendar. */
  day: number
  rows: readonly Row[]
}

/** Groups rows by day; the order of days and rows stays. */
export function groupByDay<Row extends Pick<ActionLogRecord, 'createdAt'>>(rows: readonly Row[]): LogDay<Row>[] {
  const byDay = groupBy(rows, ({ createdAt }) => new Date(createdAt).setHours(0, 0, 0, 0))
  return [...byDay].map(([day, own]) => ({ day, rows: own }))
}
