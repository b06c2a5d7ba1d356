import { isUnknown, type OutletView } from '#web/lib/live/outlet-view.ts'

/** What became of one outlet of an "all on" or "all off". */
export type BulkResult = 'done' | 'waiting' | 'no-answer' | 'refused' | 'offline'

/** Read from what is shown now. A board that cannot be reached is never done, whatever it said last. */
export function bulkResult(view: OutletView, wanted: boolean): BulkResult {
  if (view.phase === 'pending') return 'waiting'
  if (isUnknown(view)) return 'offline'
  if (view.on === wanted) return 'done'
  return view.phase === 'refused' ? 'refused' : 'no-answer'
}

export const hasFailed = (result: BulkResult): boolean => result !== 'done' && result !== 'waiting'

/**
 * What became of an outlet stays so, whatever somebody does with it afterwards. Only a failure gives way: to another try,
 * and, while an answer may still come (`isLateOk`), to the report that came late.
 */
export function settledResult(before: BulkResult | undefined, now: BulkResult, isLateOk: boolean): BulkResult {
  if (before === undefined || before === 'waiting' || now === 'waiting') return before === 'done' ? before : now
  return before !== 'done' && now === 'done' && isLateOk ? now : before
}
