import { createLastTimes } from '../../../platform/limit-by-key.ts'

/** Remembers when periodic work was last done, by its name and rollout. */
export function createDueCheck(monotonic: () => number) {
  const looked = createLastTimes(monotonic)
  /** Returns whether the work is due, and then counts it as done. */
  return (what: string, { _id }: { _id: unknown }, everyMs: number): boolean =>
    looked.isTimeFor(`${what}:${String(_id)}`, everyMs)
}
