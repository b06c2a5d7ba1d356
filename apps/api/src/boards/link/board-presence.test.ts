import { deviceSilenceMs } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createEventBus } from '../../platform/events.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { createMemoryCluster } from '../../testing/memory-cluster.ts'
import { aLiveDevice } from '../../testing/live-device.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { DeviceFields } from '../registry/state-updates.ts'
import { createBoardPresence } from './board-presence.ts'

const log = pino({ level: 'silent' })

/**
 * The presence of one board. Records what is stored, and what listeners and other instances are told. `isSplit`: each
 * message reaches only one instance.
 */
function setUp(fields: Partial<LiveDevice> = {}, { isSplit = false } = {}) {
  const clock = createFakeClock(1_800_000_000_000)
  const device = aLiveDevice({ bootId: 'boot-0001', conn: 3, ...fields })
  const events = createEventBus(log)
  const told: object[] = []
  for (const name of ['device-behind', 'device-changed', 'device-online'] as const)
    events.on(name, (event) => void told.push({ [name]: event }))
  const stored: Omit<DeviceFields, '_id'>[] = []
  const toPeers: unknown[] = []
  const metrics = createMetrics()
  let searched = 0
  let isFailing = false
  let waiting: DeviceFields | undefined
  const keep = (_id: string, change: (earlier: DeviceFields | undefined) => DeviceFields) => {
    const { _id: _, ...rest } = change(waiting)
    stored.push(rest)
  }
  const database = { isAway: false }
  const cluster = createMemoryCluster()
  cluster.useClock(clock)
  const { leases } = cluster.join('other')
  const presence = createBoardPresence({
    clock,
    log,
    events,
    metrics,
    leases,
    registry: {
      known: () => device,
      all: () => [device].values(),
      async findMany(ids) {
        if (database.isAway) throw new Error('no database')
        return new Map(ids.includes(device.id) ? [[device.id, device]] : [])
      },
      async *idsOnline() {
        searched += 1
        const fails = isFailing
        isFailing = false
        if (fails) throw new Error('no database')
        yield [device.id]
      }
    },
    store: { setState: keep, setStateLater: keep },
    peers: {
      isSplit: () => isSplit,
      presence: (_device, isOnline) => void toPeers.push(isOnline),
      signal: () => void toPeers.push('signal')
    }
  })
  const live = (more: object = {}): boolean =>
    presence.takeStatus(device, { online: true, bootId: 'boot-0001', conn: 3, ...more })
  const online = async () => (await metrics.onlineDevices.get()).values[0]?.value
  const failNext = () => (isFailing = true)
  const wait = (state: DeviceFields) => (waiting = state)
  const searches = () => searched
  return { clock, device, presence, leases, told, stored, wait, toPeers, live, online, failNext, searches, database }
}

describe('a heartbeat', () => {
  it.each([
    ['its settings', { configRev: 2, configConfirmedRev: 1 }, { config: true, schedules: false }],
    ['its schedules', { schedulesRev: 2, schedulesConfirmedRev: 1 }, { config: false, schedules: true }],
    [
      'schedules of its own from after a backup',
      { schedulesRev: 2, schedulesConfirmedRev: 5 },
      { config: false, schedules: true }
    ],
    [
      'the empty list, for it has schedules from after a backup',
      { schedulesRev: 0, schedulesConfirmedRev: 5 },
      { config: false, schedules: true }
    ]
  ])('of a board that lacks %s gets it them', (_what, revisions, behind) => {
    const { device, told, live } = setUp(revisions)
    expect(live()).toBe(true)
    expect(told).toEqual([{ 'device-behind': { deviceId: device.id, ...behind } }])
  })

  it.each([
    ['config-update', { configRev: 2, configConfirmedRev: 1 }],
    ['schedules', { schedulesRev: 2, schedulesConfirmedRev: 1 }]
  ])('of a board that never confirms gets it them three times, the first sending counted (%s)', (what, revisions) => {
    const { device, presence, told, live } = setUp(revisions)
    presence.wasSent(device, what, 2)
    for (let minute = 0; minute < 4; minute += 1) live()
    expect(told).toHaveLength(2)
    presence.forget(device)
    live()
    expect(told).toHaveLength(3)
  })

  it('of a board that lacks nothing tells nothing', () => {
    const { told, stored, live } = setUp({
      configRev: 2,
      configConfirmedRev: 2,
      schedulesRev: 1,
      schedulesConfirmedRev: 1
    })
    live()
    expect([told, stored]).toEqual([[], []])
  })

  it('brings the signal to the screens each time, and to the database every quarter of an hour', () => {
    const { clock, device, told, stored, toPeers, live } = setUp()
    live({ rssi: -60 })
    const lastSeen = new Date(clock.now())
    expect([device.wifiRSSI, told]).toEqual([
      -60,
      [
        {
          'device-changed': {
            deviceId: device.id,
            deviceMac: device.mac,
            update: { wifiRSSI: -60, lastSeen: lastSeen.getTime() },
            at: clock.now()
          }
        }
      ]
    ])
    expect(stored).toEqual([{ wifiRSSI: -60, lastSeen }])
    clock.advance(15 * 60_000 - 1)
    live({ rssi: -61 })
    expect([told.length, stored.length, toPeers]).toEqual([2, 1, ['signal']])
    clock.advance(1)
    live({ rssi: -62 })
    expect([stored.at(-1)?.wifiRSSI, toPeers]).toEqual([-62, ['signal', 'signal']])
  })
})

describe('a connection', () => {
  it('that replaces another is stored with its boot, and told to those who wait for it; screens see no change', () => {
    const { device, stored, told, toPeers, live } = setUp({ seq: 7, earlierBoots: ['boot-0000'], connectedAt: 5 })
    live({ conn: 4 })
    const status = { online: true, bootId: 'boot-0001', conn: 4 }
    const { id: deviceId, mac: deviceMac, userId } = device
    expect(stored).toEqual([{ conn: 4, bootId: 'boot-0001', seq: 7, earlierBoots: ['boot-0000'] }])
    expect([told, toPeers]).toEqual([[{ 'device-online': { deviceId, deviceMac, userId, status } }], [true]])
    expect([device.conn, device.connectedAt]).toEqual([4, null])
    live({ conn: 4 })
    expect([stored.length, told.length, toPeers.length]).toEqual([1, 1, 1])
  })

  it('ends with its will: that is stored, shown and told, and its number is known', () => {
    const fields = { lastMessageAt: 1_799_999_990_000, connectedAt: 5, configRev: 2, configConfirmedRev: 1 }
    const { clock, device, stored, told, toPeers, live } = setUp(fields)
    expect(live({ online: false, conn: 4 })).toBe(true)
    const update = { isOnline: false, lastSeen: clock.now(), onlineChangedAt: clock.now() }
    const at = new Date(clock.now())
    expect(stored).toEqual([{ isOnline: false, onlineChangedAt: at, lastSeen: at }])
    expect(told).toEqual([
      { 'device-changed': { deviceId: device.id, deviceMac: device.mac, update, at: clock.now() } }
    ])
    expect([device.isOnline, device.conn, device.connectedAt, toPeers]).toEqual([false, 4, null, [false]])
  })

  it('that is the first of a new boot starts a new count, and the wills of the boot before end nothing', () => {
    const { device, live } = setUp({ seq: 7 })
    live({ bootId: 'boot-0002', conn: 1 })
    expect(device).toMatchObject({ bootId: 'boot-0002', conn: 1, seq: 0, earlierBoots: ['boot-0001'] })
    live({ online: false, conn: 9 })
    expect(device).toMatchObject({ isOnline: true, conn: 1 })
  })

  it('of an earlier boot, whose heartbeat was late, is not the one that the board has', () => {
    const { device, told, live } = setUp({ earlierBoots: ['boot-0000'] })
    live({ bootId: 'boot-0000', conn: 9 })
    expect([device.conn, told]).toEqual([3, []])
    live({ online: false })
    expect(device.isOnline).toBe(false)
  })

  it('of a boot that has said nothing else ends the board, and counts for no other boot', () => {
    const { device, live } = setUp()
    live({ online: false, bootId: 'boot-0002', conn: 9 })
    expect(device).toMatchObject({ isOnline: false, bootId: 'boot-0001', conn: 3 })
  })

  it('of a board that was offline brings it back', async () => {
    const { clock, device, presence, stored, told, toPeers, live, online } = setUp({ isOnline: false })
    expect(live()).toBe(true)
    const at = new Date(clock.now())
    expect([device.isOnline, stored, toPeers]).toEqual([
      true,
      [{ isOnline: true, onlineChangedAt: at, lastSeen: at }],
      [true]
    ])
    expect(told.map((event) => Object.keys(event)[0])).toEqual(['device-online', 'device-changed'])
    expect(await online()).toBe(1)
    presence.setOnline(device, true)
    expect(await online()).toBe(1)
    presence.setOnline(device, false)
    expect(await online()).toBe(0)
  })

  it('that begins while another state of the board waits to be stored adds to that', () => {
    const { device, stored, wait, live } = setUp()
    wait({ _id: new Types.ObjectId(device.id), switch: [true], conn: 3 })
    live({ conn: 4 })
    expect(stored).toEqual([expect.objectContaining({ switch: [true], conn: 4 })])
  })

  it.each([
    ['without its number', { conn: undefined }],
    ['without its boot', { bootId: '' }]
  ])('%s is no status', (_what, wrong) => {
    const { told, stored, live } = setUp()
    expect([live(wrong), told, stored]).toEqual([false, [], []])
  })

  it('is unbroken from the first message after its start, until 150 s of silence', () => {
    const { clock, device, presence } = setUp()
    const speak = () => {
      presence.speaks(device)
      presence.heard(device)
      return device.connectedAt
    }
    clock.advance(deviceSilenceMs)
    const first = clock.now()
    expect(speak()).toBe(first)
    clock.advance(deviceSilenceMs)
    expect(speak()).toBe(first)
    expect([device.lastMessageAt, device.heardAt]).toEqual([clock.now(), clock.monotonic()])
    clock.advance(deviceSilenceMs + 1)
    expect(speak()).toBe(clock.now())
  })
})

it.each([
  ['silent, is told with the time of its last message', true, undefined],
  ['gone by its own word, is told as seen then', true, false],
  ['back by a heartbeat, is told as seen then', false, true]
])('a board that is %s', (_what, wasOnline, online) => {
  const { clock, device, presence, told, live } = setUp({ isOnline: wasOnline })
  presence.heard(device)
  const heardAt = clock.now()
  clock.advance(deviceSilenceMs + 1)
  if (online === undefined) presence.sweep(0)
  else live({ online })
  const lastSeen = online === undefined ? heardAt : clock.now()
  const update = { isOnline: !wasOnline, lastSeen, onlineChangedAt: clock.now() }
  expect(told).toContainEqual({ 'device-changed': expect.objectContaining({ update }) })
})

describe('a board that is stored as online', () => {
  const settled = deviceSilenceMs + 1

  it('goes offline once it could have been heard for 150 s and was not', async () => {
    const { clock, device, presence, searches } = setUp()
    clock.advance(1)
    const since = clock.monotonic()
    clock.advance(deviceSilenceMs)
    presence.sweep(null)
    presence.sweep(since)
    expect(searches()).toBe(0)
    clock.advance(1)
    presence.sweep(since)
    await expect.poll(() => device.isOnline).toBe(false)
  })

  it('stays online if it was heard since, and is searched for once for each time that hearing begins', async () => {
    const { clock, device, presence, searches } = setUp()
    const since = clock.monotonic()
    clock.advance(settled)
    presence.heard(device)
    for (const begun of [since, since, since + 1]) {
      presence.sweep(begun - 1)
      await expect.poll(searches).toBe(begun === since ? 1 : 2)
    }
    expect(device.isOnline).toBe(true)
  })

  it('and was found silent meanwhile goes offline once', async () => {
    const { clock, device, presence, told, searches } = setUp({ isOnline: false })
    clock.advance(1)
    const since = clock.monotonic()
    clock.advance(settled)
    presence.sweep(since)
    await expect.poll(searches).toBe(1)
    await new Promise((resolve) => void setImmediate(resolve))
    expect([device.isOnline, told]).toEqual([false, []])
  })

  it('is searched for again if that failed', async () => {
    const { clock, device, presence, failNext, searches } = setUp()
    clock.advance(1)
    const since = clock.monotonic()
    clock.advance(settled)
    failNext()
    presence.sweep(since)
    await expect.poll(searches).toBe(1)
    await expect
      .poll(() => {
        presence.sweep(since)
        return device.isOnline
      })
      .toBe(false)
  })
})

describe('a board that was heard here', () => {
  it('goes offline after 150 s of silence', () => {
    const { clock, device, presence } = setUp()
    presence.heard(device)
    clock.advance(deviceSilenceMs)
    presence.sweep(0)
    expect(device.isOnline).toBe(true)
    clock.advance(1)
    presence.sweep(0)
    expect(device.isOnline).toBe(false)
  })

  it('and was deleted is not missed', () => {
    const { clock, device, presence, stored, told } = setUp()
    presence.heard(device)
    presence.forget(device)
    clock.advance(deviceSilenceMs + 1)
    presence.sweep(0)
    expect([stored, told]).toEqual([[], []])
  })
})

describe('a board whose messages reach only one of the instances', () => {
  const split = { isSplit: true }

  it('stays online while any of them hears it, and goes offline once none does', async () => {
    const { clock, device, presence, leases, searches } = setUp({}, split)
    presence.heard(device)
    clock.advance(2000)
    presence.sweep(0)
    clock.advance(140_000)
    await leases.keep([device.id], deviceSilenceMs)
    clock.advance(deviceSilenceMs - 1)
    presence.sweep(1)
    await expect.poll(searches).toBe(1)
    await new Promise((resolve) => void setImmediate(resolve))
    expect(device.isOnline).toBe(true)
    clock.advance(5000)
    presence.sweep(0)
    await expect.poll(() => device.isOnline).toBe(false)
  })

  it.each([
    ['goes offline once that is back', false],
    ['stays online if another one has heard it since', true]
  ])('falls silent while no board can be read, and %s', async (_what, isHeard) => {
    const { clock, device, presence, leases, database } = setUp({}, split)
    presence.heard(device)
    clock.advance(2000)
    presence.sweep(0)
    clock.advance(deviceSilenceMs + 1)
    database.isAway = true
    presence.sweep(0)
    if (isHeard) await leases.keep([device.id], deviceSilenceMs)
    await new Promise((resolve) => void setImmediate(resolve))
    database.isAway = false
    clock.advance(5000)
    presence.sweep(0)
    await new Promise((resolve) => void setImmediate(resolve))
    expect(device.isOnline).toBe(isHeard)
  })

  it('is offline if it is stored as online, and none hears it', async () => {
    const { clock, device, presence } = setUp({}, split)
    clock.advance(deviceSilenceMs + 2)
    presence.sweep(1)
    await expect.poll(() => device.isOnline).toBe(false)
  })

  it('stays online if it was heard a moment ago, and Redis has lost that', async () => {
    const { clock, device, presence, leases, searches } = setUp({}, split)
    clock.advance(deviceSilenceMs)
    presence.heard(device)
    presence.sweep(0)
    await leases.drop(device.id)
    clock.advance(1)
    presence.heard(device)
    presence.sweep(0)
    await expect.poll(searches).toBe(1)
    await new Promise((resolve) => void setImmediate(resolve))
    expect(device.isOnline).toBe(true)
  })

  it('and that has said goodbye is not missed', async () => {
    const { clock, device, presence, leases, live } = setUp({}, split)
    presence.heard(device)
    clock.advance(2000)
    presence.sweep(0)
    expect(await leases.missing([device.id])).toEqual([])
    live({ online: false })
    expect(await leases.missing([device.id])).toEqual([device.id])
  })

  it('is heard of again after Redis was down, if it was heard lately', async () => {
    const { clock, device, presence, leases } = setUp({}, split)
    clock.advance(2000)
    Object.assign(device, { heardAt: clock.monotonic() })
    presence.turned()
    presence.sweep(0)
    expect(await leases.missing([device.id])).toEqual([])
  })
})

describe('what another instance heard', () => {
  const heard = { bootId: 'boot-0001', seq: 0, earlierBoots: [], at: 1_800_000_000_000 }

  it.each([
    ['connection', { bootId: 'boot-0001', conn: 2 }],
    ['boot', { bootId: 'boot-0000', conn: 9 }]
  ])('of an earlier %s that has ended changes nothing, and the truth is stored and told again', (_what, ended) => {
    const { device, presence, stored, told, toPeers } = setUp({ earlierBoots: ['boot-0000'] })
    presence.adopt(device, { ...heard, isOnline: false, ...ended })
    expect([device.isOnline, stored.length, stored[0]?.isOnline, toPeers, told]).toEqual([true, 1, true, [true], []])
  })

  it('of the end of a board that is offline here too tells nothing', () => {
    const { device, presence, stored, told, toPeers } = setUp({ isOnline: false })
    const status = { online: false, bootId: 'boot-0001', conn: 3 }
    for (const conn of [2, 3]) presence.adopt(device, { ...heard, isOnline: false, conn, status })
    expect([device.isOnline, stored, told, toPeers]).toEqual([false, [], [], []])
  })

  it('of an earlier connection is a sign of life, and the newer one is still known', () => {
    const { device, presence } = setUp({ isOnline: false })
    presence.adopt(device, { ...heard, isOnline: true, conn: 2 })
    expect(device).toMatchObject({ isOnline: true, conn: 3, lastMessageAt: heard.at })
  })

  it('counts as a sign of life, and tells nothing', () => {
    const { clock, device, presence, told } = setUp()
    clock.advance(deviceSilenceMs)
    presence.adopt(device, { ...heard, isOnline: true, conn: 3, at: clock.now() })
    expect([device.lastMessageAt, told]).toEqual([clock.now(), []])
    clock.advance(deviceSilenceMs)
    presence.sweep(0)
    expect(device.isOnline).toBe(true)
    clock.advance(1)
    presence.sweep(0)
    expect(device.isOnline).toBe(false)
  })

  it('becomes the state here, and is stored again only where a write of this instance may have crossed it', () => {
    const { clock, device, presence, stored, told } = setUp({
      onlineChangedAt: heard.at - 5000,
      lastMessageAt: heard.at - 9000
    })
    presence.adopt(device, { ...heard, isOnline: false, conn: 3, lastMessageAt: heard.at })
    const changed = (isOnline: boolean, at = heard.at) => ({
      'device-changed': {
        deviceId: device.id,
        deviceMac: device.mac,
        update: { isOnline, lastSeen: at, onlineChangedAt: at },
        at
      }
    })
    expect([device.isOnline, stored, told]).toEqual([false, [], [changed(false)]])
    clock.advance(4999)
    const status = { online: true, bootId: 'boot-0001', conn: 4 }
    presence.adopt(device, { ...heard, isOnline: true, conn: 4, at: clock.now(), status })
    const { id: deviceId, mac: deviceMac, userId } = device
    expect([device.isOnline, stored.map(({ isOnline }) => isOnline), told.slice(1)]).toEqual([
      true,
      [true],
      [{ 'device-online': { deviceId, deviceMac, userId, status } }, changed(true, clock.now())]
    ])
  })

  it('of a new boot or connection is known here: the will of the one before ends nothing', () => {
    const { device, presence, told, live } = setUp()
    const status = { online: true, bootId: 'boot-0002', conn: 1 }
    const boot = { ...heard, bootId: 'boot-0002', seq: 7, earlierBoots: ['boot-0001'], status }
    presence.adopt(device, { ...boot, isOnline: true, conn: 1 })
    expect(device).toMatchObject({ bootId: 'boot-0002', seq: 7, earlierBoots: ['boot-0001'], conn: 1 })
    // Screens know already that it is online; a caller that waits for its connection does not.
    expect(told).toEqual([expect.objectContaining({ 'device-online': expect.objectContaining({ status }) })])
    live({ online: false })
    presence.adopt(device, { ...boot, seq: 3, isOnline: true, conn: 2 })
    live({ online: false, bootId: 'boot-0002', conn: 1 })
    expect([device.isOnline, device.conn, device.seq]).toEqual([true, 2, 7])
  })
})
