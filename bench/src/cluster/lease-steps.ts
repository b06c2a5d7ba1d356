import { systemClock } from '@batti/kit/clock'
import { freePort } from '@batti/kit/node/ports'
import { pino } from 'pino'
import { createRedisCluster } from '../../../apps/api/src/platform/cluster/redis-cluster.ts'
import { same } from './house.ts'
import { startRedis } from './programs.ts'

const rounds = 1000

/** One instance renews a board's lease that has expired, while the other takes expired ones. */
export async function renewedLeases(): Promise<string> {
  const port = await freePort()
  const redis = await startRedis(port)
  const join = (instance: string) =>
    createRedisCluster({
      url: `redis://127.0.0.1:${port}`,
      instance,
      clock: systemClock,
      log: pino({ level: 'silent' })
    })
  const [one, other] = [await join('one'), await join('other')]
  try {
    await Promise.all([one.start(), other.start()])
    let isOver = false
    let taken = 0
    const taking = (async () => {
      while (!isOver) taken += (await other.leases.takeExpired()).length
    })()
    let lost = 0
    for (let round = 0; round < rounds; round += 1) {
      await one.leases.keep(['board'], -1)
      await one.leases.keep(['board'], 60_000)
      lost += (await one.leases.missing(['board'])).length
    }
    isOver = true
    await taking
    same('renewed leases that are gone', lost, 0)
    return `${taken} of ${rounds} were taken in time`
  } finally {
    await Promise.all([one.stop(), other.stop()])
    await redis.end('SIGKILL')
  }
}
