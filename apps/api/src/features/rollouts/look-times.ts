import { createLastTimes } from '../../platform/recent.ts'

/** When something that need not be done at each look was last done, by its name and its rollout. */
export function createLookTimes(now: () => number) {
  const looked = createLastTimes(now)
  /** Whether it is time again; then it counts as done. */
  return (what: string, { _id }: { _id: unknown }, everyMs: number): boolean =>
    looked.isTimeFor(`${what}:${String(_id)}`, everyMs)
}
