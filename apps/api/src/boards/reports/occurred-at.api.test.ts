import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryCluster } from '../../testing/memory-cluster.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

const minute = 60_000

/** A press with a time given by the board. Returns how many minutes ago it is in the log. */
async function press(app: TestApi, { id, board }: AddedDevice, minutesAgo: number): Promise<number> {
  const rows = () => app.models.actionLogs.find({ deviceId: id }).lean()
  const before = new Set((await rows()).map(({ _id }) => String(_id)))
  const added = async () => (await rows()).filter(({ _id }) => !before.has(String(_id)))
  board.state = board.state.map((on, index) => (index === 0 ? !on : on))
  app.clock.advance(1)
  board.report({ cause: 'button', changed: [0], occurredAt: app.clock.now() - minutesAgo * minute })
  await expect.poll(async () => (await added()).length).toBe(1)
  return (app.clock.now() - ((await added())[0]?.createdAt.getTime() ?? 0)) / minute
}

describe('the time that a board gives for a press', () => {
  let app: TestApi
  let device: AddedDevice
  beforeAll(async () => void (app = await startApi()))
  afterAll(() => app.stop())
  beforeEach(async () => void (device = await app.device(app.person())))

  test('is ignored while it has been connected all the time', async () => {
    for (let minutes = 0; minutes < 10; minutes += 1) {
      app.clock.advance(minute)
      app.broker.heartbeat()
    }
    expect([await press(app, device, 5), await press(app, device, 8)]).toEqual([0, 0])
  })

  test('is used for the time before it reconnected, in every report that it kept', async () => {
    device.board.disconnect()
    app.clock.advance(10 * minute)
    device.board.connect()
    expect([await press(app, device, 8), await press(app, device, 5)]).toEqual([8, 5])
  })

  test('is used after it replaced its own connection before the loss was noticed', async () => {
    app.clock.advance(2 * minute)
    device.board.connect()
    expect(await press(app, device, 0.5)).toBe(0.5)
  })

  test('is used if a report that it kept is its first message', async () => {
    device.board.disconnect()
    app.clock.advance(2 * minute)
    expect(await press(app, device, 0.5)).toBe(0.5)
  })

  test('is used after a silence, whether or not that was noticed', async () => {
    app.clock.advance(10 * minute)
    expect([await press(app, device, 8), await press(app, device, 5)]).toEqual([8, 5])
  })

  test('is used for the time in which the server could receive nothing', async () => {
    app.broker.down()
    app.clock.advance(2 * minute)
    app.broker.up()
    expect(await press(app, device, 0.5)).toBe(0.5)
  })
})

test('is used by an instance that was not running when the board reconnected', async () => {
  const app = await startApi({ cluster: createMemoryCluster() })
  await app.another()
  const device = await app.device(app.person())
  // Each of the two instances receives every second message.
  for (let words = 0; words < 4; words += 1) device.board.report({ cause: 'resync' })
  app.clock.advance(2 * minute)
  device.board.connect()
  expect([await press(app, device, 0.5), await press(app, device, 0.4)]).toEqual([0.5, 0.4])
  await app.stop()
})
