/** When something that need not be done at each look was last done, by its name and its rollout. */
export function createLookTimes(now: () => number) {
  const lookedAt = new Map<string, number>()
  /** Whether it is time again; then it counts as done. */
  return function isTimeFor(what: string, { _id }: { _id: unknown }, everyMs: number): boolean {
    const key = `${what}:${String(_id)}`
    if (now() - (lookedAt.get(key) ?? -Infinity) < everyMs) return false
    lookedAt.set(key, now())
    return true
  }
}
