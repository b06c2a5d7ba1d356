import { deviceSilenceMs } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryCluster } from '../../testing/memory-cluster.ts'
import { startApi, type AddedDevice } from '../../testing/test-api.ts'

test.each([
  ['goes offline', 'stays silent', false],
  ['stays online', 'is heard before that', true]
])(
  'a board whose lease expires while the database is away %s when it is back if it %s',
  async (_outcome, _what, isHeard) => {
    const cluster = createMemoryCluster()
    const app = await startApi({ cluster })
    onTestFinished(() => app.stop())
    cluster.useClock(app.clock)
    const device = await app.device(app.person())
    const unheard = await app.device(app.person(), { isOnline: false })
    await app.models.devices.updateOne({ _id: unheard.id }, { isOnline: true })
    const isOnline = async ({ id }: AddedDevice) => (await app.models.devices.findById(id).lean())?.isOnline
    const passes = (ms: number): void => {
      app.clock.advance(ms)
      app.link.sweep()
    }
    const hasLease = (): boolean => {
      app.link.sweep()
      return cluster.leases.has(device.id)
    }
    // Long enough that silence means absence.
    for (let minute = 0; minute < 4; minute += 1) {
      app.broker.heartbeat()
      passes(60_000)
    }
    await until('the board has its lease', hasLease)
    await until('boards without a lease were searched for', async () => (await isOnline(unheard)) === false)
    app.boards.directory.forget(device.id)
    const find = vi.spyOn(app.models.devices, 'find').mockImplementationOnce(() => {
      throw new Error('The database is away.')
    })
    passes(deviceSilenceMs + 6000)
    await until('the board was looked up', () => find.mock.calls.length > 0)
    if (isHeard) {
      app.broker.heartbeat()
      await until('the board is known', () => app.boards.directory.known(device.id) !== undefined)
      app.clock.advance(2000)
      await until('the board has a lease again', hasLease)
    }
    passes(6000)
    await expect.poll(() => isOnline(device)).toBe(isHeard)
    await app.settled()
    expect(await isOnline(device)).toBe(isHeard)
  }
)
