import { deviceSilenceMs } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { clocksApartMs } from '../clocks-apart.ts'
import { createOtherClock } from '../other-clock.ts'
import type { Leases } from './cluster.ts'

const key = 'batti:seen'
const expiredAtOnce = 500
const keptAtOnce = 1000

/** Removes and returns entries in one step, so that none is removed that another instance has just renewed. */
const takeExpired = `
  local expired = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ${expiredAtOnce})
  if #expired > 0 then redis.call('ZREM', KEYS[1], unpack(expired)) end
  return expired`

/** Gives all entries one deadline. */
const renewAll = `
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZADD', KEYS[1], ARGV[1], id) end`

/** Deadlines in a sorted set. If the clock of Redis was set, no deadline is right any more: all begin anew. */
export function createRedisLeases(redis: Redis, clock: Pick<Clock, 'monotonic'>): Leases {
  const clockOfRedis = createOtherClock(clock)
  let areWrong = false

  async function now(): Promise<number> {
    const asked = clock.monotonic()
    const [seconds, microseconds] = await redis.time()
    const time = Number(seconds) * 1000 + Number(microseconds) / 1000
    areWrong ||= Math.abs(clockOfRedis.note(time, asked)) > clocksApartMs
    if (areWrong) await redis.eval(renewAll, 1, key, Math.ceil(time + deviceSilenceMs))
    areWrong = false
    return time
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
    takeExpired: async () => z.array(z.string()).parse(await redis.eval(takeExpired, 1, key, await now())),
    async missing(ids) {
      if (ids.length === 0) return []
      const scores = await redis.zmscore(key, ...ids)
      return ids.filter((_, index) => scores[index] === null)
    }
  }
}
