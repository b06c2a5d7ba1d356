import type { RefusalsOfHour } from '@batti/contracts'
import { lastHours, startOfHour } from '../../platform/last-hours.ts'
import type { RefusalHourModel } from './unauthorized-log.model.ts'

/** Counts refusals by hour. */
export function createRefusalHours(model: RefusalHourModel) {
  return {
    /** `at`: any instant of the hour, in milliseconds. */
    async add(refusals: readonly { attempts: number; at: number }[]): Promise<void> {
      const byHour = new Map<number, number>()
      for (const { attempts, at } of refusals) {
        const hour = startOfHour(at)
        byHour.set(hour, (byHour.get(hour) ?? 0) + attempts)
      }
      await model.bulkWrite(
        [...byHour].map(([hour, count]) => ({
          updateOne: {
            filter: { _id: new Date(hour).toISOString() },
            update: { $inc: { count }, $setOnInsert: { at: new Date(hour) } },
            upsert: true
          }
        })),
        { ordered: false }
      )
    },
    /** Returns the last 24 hours, oldest first; the last one is the current one. */
    async last(now: number): Promise<RefusalsOfHour[]> {
      const hours = lastHours(now)
      const found = await model.find({ _id: { $in: hours } }).lean()
      const counts = new Map(found.map(({ _id, count }) => [_id, count]))
      return hours.map((at) => ({ at, count: counts.get(at) ?? 0 }))
    }
  }
}
export type RefusalHours = ReturnType<typeof createRefusalHours>
