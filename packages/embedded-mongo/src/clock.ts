import { Timestamp } from 'bson'

/** The machine's clock, in milliseconds since 1970. */
export const systemNow = (): number => Date.now()

/** Cluster time: seconds and a counter. It is strictly increasing. */
export interface ClusterClock {
  /** Returns a new time, later than all before. */
  next(): Timestamp
  /** Returns the latest time that `next` has returned. */
  latest(): Timestamp
}

export function createClusterClock(now: () => number, after: { t: number; i: number }): ClusterClock {
  let { t, i } = after
  const next = (): Timestamp => {
    const seconds = Math.floor(now() / 1000)
    if (seconds > t) [t, i] = [seconds, 1]
    else i++
    return new Timestamp({ t, i })
  }
  next()
  return { next, latest: () => new Timestamp({ t, i }) }
}
