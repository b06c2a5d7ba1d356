import type { Redis } from 'ioredis'
import type { Leases } from './cluster.ts'

const key = 'batti:seen'
const expiredAtOnce = 500
const keptAtOnce = 1000

/** Deadlines in a sorted set: only the instance that removes an expired entry gets it. */
export function createRedisLeases(redis: Redis): Leases {
  async function now(): Promise<number> {
    const [seconds, microseconds] = await redis.time()
    return Number(seconds) * 1000 + Number(microseconds) / 1000
  }

  return {
    async keep(ids, forMs) {
      const until = Math.ceil((await now()) + forMs)
      for (let from = 0; from < ids.length; from += keptAtOnce)
        await redis.zadd(key, ...ids.slice(from, from + keptAtOnce).flatMap((id) => [until, id]))
    },
    async drop(id) {
      await redis.zrem(key, id)
    },
    async takeExpired() {
      const expired = await redis.zrangebyscore(key, '-inf', await now(), 'LIMIT', 0, expiredAtOnce)
      if (expired.length === 0) return []
      const removed = await Promise.all(expired.map((id) => redis.zrem(key, id)))
      return expired.filter((_, index) => removed[index] === 1)
    },
    async missing(ids) {
      if (ids.length === 0) return []
      const scores = await redis.zmscore(key, ...ids)
      return ids.filter((_, index) => scores[index] === null)
    }
  }
}
