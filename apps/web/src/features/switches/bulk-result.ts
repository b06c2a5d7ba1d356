import type { OutletView } from '#web/lib/live/outlet-view.ts'

/** What became of one outlet of an "all on" or "all off". */
export type BulkResult = 'done' | 'waiting' | 'no-answer' | 'refused' | 'offline'

/**
 * Read from what is shown, so that a late report still turns a failure into a success. A board that cannot be reached
 * is never done, whatever it said last.
 */
export function bulkResult(view: OutletView, wanted: boolean): BulkResult {
  if (view.phase === 'pending') return 'waiting'
  if (view.phase === 'offline' || view.phase === 'stale') return 'offline'
  if (view.on === wanted) return 'done'
  return view.phase === 'refused' ? 'refused' : 'no-answer'
}

export const hasFailed = (result: BulkResult): boolean => result !== 'done' && result !== 'waiting'
