import { isUnknown, type OutletView } from '#web/lib/live/outlet-view.ts'

/** The result of one outlet in an "all on" or "all off". */
export type BulkResult = 'done' | 'waiting' | 'no-answer' | 'refused' | 'offline'

/** Reads the result from the current view. An unreachable board is never done, whatever it reported last. */
export function bulkResult(view: OutletView, wanted: boolean): BulkResult {
  if (view.phase === 'pending') return 'waiting'
  if (isUnknown(view)) return 'offline'
  if (view.on === wanted) return 'done'
  return view.phase === 'refused' ? 'refused' : 'no-answer'
}

export const hasFailed = (result: BulkResult): boolean => result !== 'done' && result !== 'waiting'

/**
 * Keeps an outlet's result, whatever happens to it afterwards. Only a failure can change: by a retry, or by a late
 * report while one may still come (`isLateOk`).
 */
export function settledResult(before: BulkResult | undefined, now: BulkResult, isLateOk: boolean): BulkResult {
  if (before === undefined || before === 'waiting' || now === 'waiting') return before === 'done' ? before : now
  return before !== 'done' && now === 'done' && isLateOk ? now : before
}
