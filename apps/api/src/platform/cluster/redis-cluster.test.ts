import { createFakeClock } from '@batti/kit/testing'
import { freePort } from '@batti/kit/node/ports'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createRedisCluster } from './redis-cluster.ts'

it('an instance that starts without Redis serves, and its log names the setting and the reason', async () => {
  const lines: unknown[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const url = `redis://127.0.0.1:${await freePort()}`
  const cluster = await createRedisCluster({ url, instance: 'x', clock: createFakeClock(), log })
  await cluster.start()
  expect(cluster.isUp()).toBe(false)
  await cluster.stop()
  expect(lines).toEqual([
    expect.objectContaining({
      level: 50,
      msg: expect.stringContaining('Redis at REDIS_URL is unavailable') as string,
      err: expect.objectContaining({ code: 'ECONNREFUSED' }) as object
    })
  ])
})
