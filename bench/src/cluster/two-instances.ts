import { systemClock, type Clock } from '@batti/kit/clock'
import { freePort } from '@batti/kit/node/ports'
import { pino } from 'pino'
import { createRedisCluster } from '../../../apps/api/src/platform/cluster/redis-cluster.ts'
import { startRedis } from './programs.ts'

type Instance = Awaited<ReturnType<typeof createRedisCluster>>

/** Runs `work` with two api instances' ends of the cluster, on a Redis of their own. */
export async function withTwoInstances<Result>(
  work: (one: Instance, other: Instance) => Promise<Result>,
  clock: Pick<Clock, 'monotonic'> = systemClock
): Promise<Result> {
  const port = await freePort()
  const redis = await startRedis(port)
  const join = (instance: string): Promise<Instance> =>
    createRedisCluster({
      url: `redis://127.0.0.1:${port}`,
      instance,
      clock,
      log: pino({ level: 'silent' })
    })
  const [one, other] = [await join('one'), await join('other')]
  try {
    await Promise.all([one.start(), other.start()])
    return await work(one, other)
  } finally {
    await Promise.all([one.stop(), other.stop()])
    await redis.end('SIGKILL')
  }
}
