import { deviceSilenceMs, upTopic, type UpTopic } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { singleInstance } from '../../platform/cluster/cluster.ts'
import { createEventBus } from '../../platform/events.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { aLiveDevice } from '../../testing/live-device.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import { createDeviceLink } from './device-link.ts'
import { createDownlink } from './downlink.ts'

interface Parts {
  expireForgottenCommands?: () => Promise<void>
  /** How the board is read from the database; by default it is in memory. */
  find?: (board: LiveDevice) => Promise<LiveDevice | null>
}

/** A link to one online board, with a clock that the test advances. It is not started. */
function makeLink({ expireForgottenCommands = () => Promise.resolve(), find }: Parts = {}) {
  const log = pino({ level: 'silent' })
  const clock = createFakeClock()
  const metrics = createMetrics()
  const events = createEventBus(log)
  const progressed: number[] = []
  events.on('firmware-progressed', ({ progress }) => void progressed.push(progress.percent))
  const device = aLiveDevice()
  let hear: (topic: string, payload: Buffer) => void = () => undefined
  let opened = 0
  const closed: string[] = []
  const link = createDeviceLink({
    clock,
    logRowsPerMinute: 0,
    cluster: singleInstance('x'),
    wantsShare: false,
    registry: {
      onLoad: () => undefined,
      peek: () => (find === undefined ? device : undefined),
      find: () => find?.(device),
      countOnline: () => Promise.resolve(1),
      unused: () => []
    } as unknown as DeviceRegistry,
    store: {
      setState: () => undefined,
      hasRoom: () => true,
      isHealthy: () => true,
      gathered: () => Promise.resolve(),
      setStateLater: () => undefined,
      expireForgottenCommands,
      drain: () => Promise.resolve()
    } as unknown as DeviceStore,
    events,
    metrics,
    log,
    idPrefix: 'x-',
    reportsPerSecond: 20,
    openLink: (handlers) => {
      opened += 1
      hear = handlers.onMessage
      handlers.onUp()
      return { name: 'x', isUp: () => true, publish: () => true, stop: () => Promise.resolve() }
    },
    closeConnection: (deviceId) => void closed.push(deviceId),
    notifyScreens: () => undefined
  })
  onTestFinished(() => link.stop())
  const topic = upTopic(device.id, 'update-from-device')
  async function counted(outcome: string): Promise<number> {
    const { values } = await metrics.reports.get()
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
  }
  return {
    link,
    openedTimes: () => opened,
    clock,
    device,
    sweep: link.sweep,
    say: () => hear(topic, Buffer.from('no report')),
    progressed,
    /** Returns the progress of an update that nobody sent. */
    tellProgress: (percent: number, phase = 'verify') =>
      hear(upTopic(device.id, 'firmware-progress'), Buffer.from(JSON.stringify({ id: 'x', phase, percent }))),
    closed,
    hear: (name: UpTopic, message: object) => hear(upTopic(device.id, name), Buffer.from(JSON.stringify(message))),
    hearTopic: (other: string) => hear(other, Buffer.from('{}')),
    live: () => hear(upTopic(device.id, 'status'), Buffer.from('{"online":true,"bootId":"boot-0001","conn":1}')),
    limited: () => counted('limited'),
    counted
  }
}

async function setUp(parts: Parts = {}) {
  const made = makeLink(parts)
  await made.link.start()
  return made
}

it('a link that is stopped while it starts stays closed', async () => {
  let finish: () => void = () => undefined
  const { link, openedTimes } = makeLink({
    expireForgottenCommands: () => new Promise((resolve) => (finish = resolve))
  })
  const starting = link.start()
  await link.stop()
  finish()
  await starting
  expect(openedTimes()).toBe(0)
})

it('a message to a board before the link is up is refused, not lost', () => {
  const downlink = createDownlink(createFakeClock(), { onTurn: () => undefined, onBack: () => undefined })
  expect(() => downlink.publish('x', 'ack', { bootId: 'boot-0001', seq: 1, serverTime: 0 })).toThrow(
    'cannot be reached'
  )
})

describe('setting the clock', () => {
  it('forward takes no board offline; real silence does', async () => {
    const { clock, device, sweep, live } = await setUp()
    live()
    clock.step(3_600_000)
    clock.advance(1000)
    sweep()
    expect(device.isOnline).toBe(true)
    clock.advance(deviceSilenceMs)
    sweep()
    expect(device.isOnline).toBe(false)
  })

  it('back delays no report of a board', async () => {
    const { clock, say, limited } = await setUp()
    say()
    clock.step(-30_000)
    for (let second = 0; second < 5; second += 1) {
      clock.advance(1000)
      for (let report = 0; report < 20; report += 1) say()
    }
    expect(await limited()).toBe(0)
    for (let report = 0; report < 200; report += 1) say()
    expect(await limited()).toBeGreaterThan(0)
  })
})

describe("a board's update progress", () => {
  it('is limited for each phase, so that all phases of a fast download are received', async () => {
    const { clock, progressed, tellProgress, limited } = await setUp()
    for (let repeat = 0; repeat < 1000; repeat += 1) tellProgress(1, 'download')
    expect(progressed).toHaveLength(50)
    tellProgress(100, 'verify')
    expect(progressed.at(-1)).toBe(100)
    for (let repeat = 0; repeat < 1000; repeat += 1) tellProgress(1)
    expect(progressed).toHaveLength(100)
    expect(await limited()).toBe(950 + 951)
    clock.advance(1000)
    for (let repeat = 0; repeat < 1000; repeat += 1) tellProgress(1)
    expect(progressed).toHaveLength(105)
  })
})

describe('a message', () => {
  const status = { online: true, bootId: 'boot-0001', conn: 1 }

  it.each([
    ['report', 'update-from-device', { switch: 'all' }],
    ['status', 'status', { online: 'yes' }],
    ['progress', 'firmware-progress', { phase: 'none' }]
  ] as const)(
    'that is a malformed %s is no sign of life, and too many of them end the connection',
    async (_what, name, wrong) => {
      const { clock, device, hear, closed, counted } = await setUp()
      hear('status', status)
      const { lastMessageAt } = device
      clock.advance(1000)
      // One a second is within the limit of statuses.
      const repeat = (times: number) => {
        for (let count = 0; count < times; count += 1) {
          clock.advance(1000)
          hear(name, wrong)
        }
      }
      repeat(20)
      expect([device.lastMessageAt, closed]).toEqual([lastMessageAt, []])
      repeat(20)
      expect([...new Set(closed)]).toEqual([device.id])
      expect(await counted('rejected')).toBeGreaterThan(20)
    }
  )

  it('that is malformed, like many others before the connection has ended, ends it once a second', async () => {
    const { device, clock, hear, closed } = await setUp()
    const flood = (): void => Array.from({ length: 50 }).forEach(() => hear('update-from-device', { switch: 'all' }))
    flood()
    expect(closed).toEqual([device.id])
    clock.advance(1000)
    flood()
    expect(closed).toEqual([device.id, device.id])
  })

  it('beyond the limit of its kind is not read, and good ones never end the connection', async () => {
    const { device, clock, hear, closed } = await setUp()
    for (let conn = 1; conn <= 50; conn += 1) hear('status', { ...status, conn })
    expect([device.conn, closed]).toEqual([10, []])
    clock.advance(1000)
    hear('status', { ...status, conn: 60 })
    expect([device.conn, device.lastMessageAt]).toEqual([60, clock.now()])
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1000)
      hear('status', { ...status, conn: 60 })
    }
    expect(closed).toEqual([])
  })

  it('of a board that is taken for offline brings it back if it is a report', async () => {
    const { clock, device, hear } = await setUp()
    device.isOnline = false
    hear('firmware-progress', { id: 'x', phase: 'verify', percent: 1 })
    expect(device.isOnline).toBe(false)
    hear('update-from-device', { bootId: 'boot-0001', seq: 1, cause: 'boot', switch: [], speed: [] })
    expect(device.isOnline).toBe(false)
    const off = { switch: [false, false, false, false], speed: [0, 0, 0, 0] }
    hear('update-from-device', { bootId: 'boot-0001', seq: 1, cause: 'boot', ...off })
    const since = clock.now()
    clock.advance(1000)
    hear('update-from-device', { bootId: 'boot-0001', seq: 2, cause: 'resync', ...off })
    expect([device.isOnline, device.onlineChangedAt]).toEqual([true, since])
  })

  it('of a board that is not in memory is handled once the board is read', async () => {
    const read = Promise.withResolvers<void>()
    const board: LiveDevice[] = []
    const { hear } = await setUp({ find: (found) => read.promise.then(() => (board.push(found), found)) })
    hear('status', status)
    expect(board).toEqual([])
    read.resolve()
    await expect.poll(() => board[0]?.conn).toBe(1)
  })

  it('of a board that is gone, that cannot be read, or on another topic changes nothing', async () => {
    const answers: (() => Promise<null>)[] = [
      () => Promise.resolve(null),
      () => Promise.reject(new Error('no database'))
    ]
    let asked = 0
    const { device, hear, hearTopic } = await setUp({ find: () => answers[asked++]?.() ?? Promise.resolve(null) })
    hear('status', status)
    hear('status', status)
    await new Promise((resolve) => setImmediate(resolve))
    hearTopic(`d/${device.id}/down/ack`)
    hearTopic('d/nobody/up/status')
    expect([asked, device.conn, device.lastMessageAt]).toEqual([2, 0, 0])
  })
})
