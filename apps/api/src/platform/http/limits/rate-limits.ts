import { addressGroup } from '@batti/kit/address'
import { Schema, type Connection } from 'mongoose'
import { tryAgainAfter } from '../../app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { ServerKeys } from '../../store/server-keys.ts'

export interface Limit {
  /** Names the counter; there is one per name and key. */
  name: string
  /** How many events a window allows. 0 turns the limit off. */
  points: number
  windowMs: number
  /** The keys are addresses: an IPv6 network counts as one. */
  by?: 'address'
}

export interface RateLimits {
  /** Counts an event. @throws AppError TOO_MANY_REQUESTS when there are more than `points` in the window. */
  consume(limit: Limit, key: string): Promise<void>
  /** Counts an event without refusing it, where failures are what is limited. */
  count(limit: Limit, key: string): Promise<void>
  /** @throws AppError TOO_MANY_REQUESTS when the window is used up; counts nothing. */
  check(limit: Limit, key: string): Promise<void>
}

interface CounterDocument {
  _id: string
  count: number
  expiresAt: Date
}

const rateLimitSchema = new Schema<CounterDocument>(
  { _id: String, count: { type: Number, required: true }, expiresAt: { type: Date, required: true } },
  { collection: 'rate_limits', versionKey: false }
)
rateLimitSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

export const createRateLimitModel = (connection: Connection) => connection.model('RateLimit', rateLimitSchema)

/**
 * Fixed windows, counted in the database so that all instances share them and restarts keep them. Keys (addresses,
 * e-mails) are stored only as keyed digests, so that counters hold no personal data.
 */
export function createRateLimits(options: {
  counters: ReturnType<typeof createRateLimitModel>
  clock: Clock
  keys: ServerKeys
}): RateLimits {
  const { counters, clock, keys } = options

  const windowOf = (limit: Limit, key: string) => {
    const who = limit.by === 'address' ? addressGroup(key) : key
    const digest = keys.digest('limit-keys', `${limit.name}:${who}`)
    // Windows of different keys end at different times, so that nobody can wait for a moment when all are new.
    const offset = digest.readUInt32BE(0) % limit.windowMs
    const index = Math.floor((clock.now() + offset) / limit.windowMs)
    return { id: `${digest.toString('base64url')}:${index}`, endsAt: (index + 1) * limit.windowMs - offset }
  }

  async function increment(limit: Limit, key: string): Promise<{ count: number; endsAt: number }> {
    const { id, endsAt } = windowOf(limit, key)
    const counter = await counters
      .findOneAndUpdate(
        { _id: id },
        { $inc: { count: 1 }, $setOnInsert: { expiresAt: new Date(endsAt) } },
        { upsert: true, returnDocument: 'after' }
      )
      .lean()
    return { count: counter?.count ?? 1, endsAt }
  }

  return {
    async consume(limit, key) {
      if (limit.points === 0) return
      const { count, endsAt } = await increment(limit, key)
      if (count > limit.points) throw tryAgainAfter((endsAt - clock.now()) / 1000)
    },
    async count(limit, key) {
      if (limit.points > 0) await increment(limit, key)
    },
    async check(limit, key) {
      if (limit.points === 0) return
      const { id, endsAt } = windowOf(limit, key)
      const counter = await counters.findById(id).lean()
      if ((counter?.count ?? 0) >= limit.points) throw tryAgainAfter((endsAt - clock.now()) / 1000)
    }
  }
}
