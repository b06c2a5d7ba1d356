import { addressGroup } from '@batti/kit/address'
import { Schema, type Connection } from 'mongoose'
import { tryAgainAfter } from '../app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { ServerKeys } from '../store/server-keys.ts'

export interface Limit {
  /** Names the counter; a counter is per name and key. */
  name: string
  /** How many may happen in a window. 0 turns the limit off. */
  points: number
  windowMs: number
  /** Its keys are addresses: an IPv6 network counts as one. */
  by?: 'address'
}

export interface RateLimits {
  /** Counts one and @throws AppError TOO_MANY_REQUESTS once there are more than `points` in the window. */
  consume(limit: Limit, key: string): Promise<void>
  /** Counts one without refusing: for what is limited by its failures. */
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
 * Fixed windows counted in the database, so that every instance and every restart shares them. Keys (addresses,
 * e-mails) are stored as keyed digests only: counters hold no personal data.
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
    // Windows of different keys end at different moments: nobody can wait for the one moment when all are new.
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
