import { deviceSilenceMs, upTopic } from '@batti/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

async function start(options: Parameters<typeof startApi>[0] = {}): Promise<TestApi> {
  const app = await startApi(options)
  onTestFinished(() => app.stop())
  return app
}

test('a board stored as online is not loaded at the start; after 150 s of silence it is offline', async () => {
  const first = await start({ isShared: true })
  const owner = first.person()
  const [gone, back] = [await first.device(owner), await first.device(owner)]
  await first.settled()
  const second = await first.another()
  expect([gone, back].map(({ id }) => second.boards.directory.peek(id))).toEqual([undefined, undefined])
  const onlineAtSecond = async ({ id }: { id: string }): Promise<boolean> =>
    (await second.call('GET', `/devices/${id}`, owner)).data.isOnline
  expect([await onlineAtSecond(gone), await onlineAtSecond(back)]).toEqual([true, true])

  first.clock.advance(deviceSilenceMs - 1000)
  back.board.report({ cause: 'resync' })
  // It is read from the database before the report is handled.
  await expect.poll(() => second.boards.directory.peek(back.id)?.heardAt).toBe(first.clock.monotonic())
  second.link.sweep()
  expect(await onlineAtSecond(gone)).toBe(true)
  first.clock.advance(2000)
  second.link.sweep()
  await expect.poll(() => onlineAtSecond(gone)).toBe(false)
  expect(await onlineAtSecond(back)).toBe(true)
})

test('an unused board is removed from memory, and loaded again when it sends something', async () => {
  const app = await start()
  const owner = app.person()
  const device = await app.device(owner)
  await app.settled()
  app.clock.advance(9 * 60_000)
  app.link.forgetUnused()
  expect(app.boards.directory.peek(device.id)).toBeDefined()

  app.clock.advance(11 * 60_000)
  app.link.forgetUnused()
  expect(app.boards.directory.peek(device.id)).toBeUndefined()
  device.board.state = [true, false, false, false]
  device.board.report({ cause: 'button', changed: [0] })
  await expect.poll(() => app.boards.directory.peek(device.id)?.outlets[0]?.on).toBe(true)
})

test('a board with an open screen stays in memory', async () => {
  const app = await start()
  const [seen, unseen] = [await app.device(app.person()), await app.device(app.person())]
  app.boards.directory.keepWhile(({ mac }) => mac === seen.mac)
  await app.settled()
  app.clock.advance(11 * 60_000)
  app.link.forgetUnused()
  expect([seen, unseen].map(({ id }) => app.boards.directory.peek(id)?.mac)).toEqual([seen.mac, undefined])
})

test('the signal of an otherwise silent board is shown at once and stored every 15 minutes', async () => {
  const app = await start()
  const owner = app.person()
  const { id } = await app.device(owner, { isOnline: false })
  const say = (rssi: number): void => {
    const status = { online: true, bootId: 'boot-0001', conn: 1, rssi }
    app.broker.say(upTopic(id, 'status'), status)
  }
  const shown = async () => (await app.call('GET', `/devices/${id}`, owner)).data.wifiRSSI as number
  const stored = async () => {
    await app.settled()
    return (await app.models.devices.findById(id).lean())?.wifiRSSI
  }
  say(-50)
  await expect.poll(shown).toBe(-50)
  expect(await stored()).toBe(-50)
  app.clock.advance(60_000)
  say(-60)
  expect([await shown(), await stored()]).toEqual([-60, -50])
  app.clock.advance(15 * 60_000)
  say(-70)
  expect([await shown(), await stored()]).toEqual([-70, -70])
})
