import { deviceSilenceMs, upTopic } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { singleInstance } from '../../platform/cluster/cluster.ts'
import { createEventBus } from '../../platform/events.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { aLiveDevice } from '../../testing/live-device.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import { createDeviceLink } from './device-link.ts'
import { createDownlink } from './downlink.ts'

/** A link to one online board, with a clock that the test advances. It is not started. */
function makeLink(expireForgottenCommands: () => Promise<void> = () => Promise.resolve()) {
  const log = pino({ level: 'silent' })
  const clock = createFakeClock()
  const metrics = createMetrics()
  const events = createEventBus(log)
  const progressed: number[] = []
  events.on('firmware-progressed', ({ progress }) => void progressed.push(progress.percent))
  const device = aLiveDevice()
  let hear: (topic: string, payload: Buffer) => void = () => undefined
  let opened = 0
  const link = createDeviceLink({
    clock,
    logRowsPerMinute: 0,
    cluster: singleInstance('x'),
    wantsShare: false,
    registry: {
      onLoad: () => undefined,
      peek: () => device,
      countOnline: () => Promise.resolve(1),
      unused: () => []
    } as unknown as DeviceRegistry,
    store: {
      setState: () => undefined,
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
    closeConnection: () => undefined,
    notifyScreens: () => undefined
  })
  onTestFinished(() => link.stop())
  const topic = upTopic(device.id, 'update-from-device')
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
    live: () => hear(upTopic(device.id, 'status'), Buffer.from('{"online":true,"bootId":"boot-0001","conn":1}')),
    async limited(): Promise<number> {
      const { values } = await metrics.reports.get()
      return values.find(({ labels }) => labels['outcome'] === 'limited')?.value ?? 0
    }
  }
}

async function setUp() {
  const made = makeLink()
  await made.link.start()
  return made
}

it('a link that is stopped while it starts stays closed', async () => {
  let finish: () => void = () => undefined
  const { link, openedTimes } = makeLink(() => new Promise((resolve) => (finish = resolve)))
  const starting = link.start()
  await link.stop()
  finish()
  await starting
  expect(openedTimes()).toBe(0)
})

it('a message to a board before the link is up is refused, not lost', () => {
  const downlink = createDownlink(createFakeClock(), { onTurn: () => undefined })
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
