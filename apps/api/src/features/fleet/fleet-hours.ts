import type { FleetRecord } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { lastHours, startOfHour } from '../../platform/last-hours.ts'
import type { FleetModels } from './fleet.models.ts'

/** Storing each command by itself would cost a third of the disk writes of the command. */
const storeEveryMs = minuteMs
/** Upper bounds of the histogram of response times, in milliseconds. */
const bounds = [10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 4000]

export type CommandEnd = 'confirmed' | 'expired' | 'offline'

/** Counts commands in memory by the hour in which they were sent, and adds them to the totals of all instances. */
export function createFleetHours({ hours, isAlone }: Pick<FleetModels, 'hours'> & { isAlone: boolean }) {
  let waiting = new Map<number, Record<string, number>>()
  let onlineStored: { hour: number; online: number } | undefined
  let turnAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> = Promise.resolve()

  function add(hour: number, key: string, count: number): void {
    const counts = waiting.get(hour) ?? {}
    counts[key] = (counts[key] ?? 0) + count
    waiting.set(hour, counts)
  }

  async function write(now: number, online: number): Promise<void> {
    const hour = startOfHour(now)
    const batch = waiting
    waiting = new Map()
    const isNews = onlineStored?.hour !== hour || onlineStored.online !== online
    if (batch.size === 0 && !isNews) return
    const writes = new Map<number, object>([...batch].map(([at, $inc]) => [at, { $inc }]))
    if (isNews) writes.set(hour, { ...writes.get(hour), $set: { online } })
    try {
      await hours.bulkWrite(
        [...writes].map(([at, update]) => ({
          updateOne: {
            filter: { _id: new Date(at).toISOString() },
            update: { ...update, $setOnInsert: { at: new Date(at) } },
            upsert: true
          }
        })),
        { ordered: false }
      )
    } catch (error) {
      for (const [at, counts] of batch) for (const [key, count] of Object.entries(counts)) add(at, key, count)
      throw error
    }
    onlineStored = { hour, online }
  }

  /**
   * Stores the counts, and how many boards are online now: the last value of an hour is its figure. A read afterwards
   * includes what was being stored.
   */
  function store(now: number, online: number): Promise<void> {
    underWay = underWay.catch(() => undefined).then(() => write(now, online))
    return underWay
  }

  return {
    store,
    count(end: CommandEnd, sentAt: number, tookMs?: number): void {
      const hour = startOfHour(sentAt)
      add(hour, end, 1)
      if (tookMs !== undefined) add(hour, `took.${bounds.find((bound) => tookMs <= bound) ?? bounds.at(-1)}`, 1)
    },
    /** Stores at most once a minute, however often it is called; each time if other instances use the same rows. */
    async storeWhenDue(now: number, online: number): Promise<void> {
      // Absolute, because a clock that was set back must not delay the next write.
      if (isAlone && Math.abs(now - turnAt) < storeEveryMs) return
      turnAt = now
      await store(now, online)
    },
    /** Returns the last 24 hours, oldest first; the last one is the current one. */
    async last(now: number, online: number): Promise<Pick<FleetRecord, 'onlineByHour' | 'commandsByHour'>> {
      const times = lastHours(now)
      const found = await hours.find({ _id: { $in: times } }).lean()
      const byHour = new Map(found.map((row) => [row._id, row]))
      return {
        onlineByHour: times.map((at, index) => ({
          at,
          online: index === times.length - 1 ? online : (byHour.get(at)?.online ?? 0)
        })),
        commandsByHour: times.map((at) => {
          const row = byHour.get(at)
          return {
            at,
            confirmed: row?.confirmed ?? 0,
            expired: row?.expired ?? 0,
            offline: row?.offline ?? 0,
            p95Ms: percentile95(row?.took ?? {})
          }
        })
      }
    }
  }
}
export type FleetHours = ReturnType<typeof createFleetHours>

/** Returns the upper bound of the group that contains the 95th percentile. */
function percentile95(took: Readonly<Record<string, number>>): number | null {
  const groups = Object.entries(took)
    .map(([bound, count]): [number, number] => [Number(bound), count])
    .toSorted(([a], [b]) => a - b)
  const total = groups.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  for (const [bound, count] of groups) {
    seen += count
    if (seen >= total * 0.95) return bound
  }
  return null
}
