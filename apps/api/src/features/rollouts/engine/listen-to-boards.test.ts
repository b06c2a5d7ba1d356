import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createEventBus } from '../../../platform/events.ts'
import { createMemoryCluster } from '../../../testing/memory-cluster.ts'
import { listenToBoards } from './listen-to-boards.ts'
import { createBoardWatch } from './watch-boards.ts'

test('commands that fail at any instance count where their rollout is driven', async () => {
  const cluster = createMemoryCluster()
  const instance = (name: string) => {
    const events = createEventBus(pino({ enabled: false }))
    const watch = createBoardWatch(() => 0)
    const rest = { runner: { hasActive: () => true }, now: () => 0 } as unknown as Parameters<typeof listenToBoards>[0]
    listenToBoards({ ...rest, events, cluster: cluster.join(name), watch })
    return { events, watch }
  }
  const [driver, other] = [instance('one'), instance('two')]
  driver.watch.take('r1')
  for (const [{ events }, result] of [
    [driver, 'expired'],
    [other, 'expired'],
    [other, 'failed'],
    [other, 'confirmed'],
    [other, 'offline']
  ] as const)
    events.emit('command-ended', { deviceId: 'd1', result, tookMs: 0, sentAt: 0 })
  await cluster.settled()
  expect(driver.watch.take('r1').counts.get('d1')).toMatchObject({ failed: 3 })
})
