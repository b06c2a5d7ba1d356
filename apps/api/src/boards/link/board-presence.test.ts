import { deviceSilenceMs } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { singleInstance } from '../../platform/cluster/cluster.ts'
import { createEventBus } from '../../platform/events.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { aLiveDevice } from '../../testing/live-device.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { DeviceFields } from '../registry/state-updates.ts'
import { createBoardPresence } from './board-presence.ts'

const log = pino({ level: 'silent' })

/** The presence of one board. Records what is stored, and what listeners and other instances are told. */
function setUp(fields: Partial<LiveDevice> = {}) {
  const clock = createFakeClock(1_800_000_000_000)
  const device = aLiveDevice({ bootId: 'boot-0001', conn: 3, ...fields })
  const events = createEventBus(log)
  const told: object[] = []
  for (const name of ['device-behind', 'device-changed', 'device-online'] as const)
    events.on(name, (event) => void told.push({ [name]: event }))
  const stored: Omit<DeviceFields, '_id'>[] = []
  const toPeers: unknown[] = []
  const keep = (_id: string, change: (earlier: DeviceFields | undefined) => DeviceFields) => {
    const { _id: _, ...rest } = change(undefined)
    stored.push(rest)
  }
  const presence = createBoardPresence({
    clock,
    log,
    events,
    metrics: createMetrics(),
    leases: singleInstance('x').leases,
    registry: {
      known: () => device,
      all: () => [device].values(),
      findMany: () => Promise.resolve(new Map([[device.id, device]])),
      async *idsOnline() {
        yield [device.id]
      }
    },
    store: { setState: keep, setStateLater: keep },
    peers: {
      isSplit: () => false,
      presence: (_device, isOnline) => void toPeers.push(isOnline),
      signal: () => void toPeers.push('signal')
    }
  })
  const live = (more: object = {}): boolean =>
    presence.takeStatus(device, { online: true, bootId: 'boot-0001', conn: 3, ...more })
  return { clock, device, presence, told, stored, toPeers, live }
}

describe('a heartbeat', () => {
  it.each([
    ['its settings', { configRev: 2, configConfirmedRev: 1 }, { config: true, schedules: false }],
    ['its schedules', { schedulesRev: 2, schedulesConfirmedRev: 1 }, { config: false, schedules: true }],
    [
      'schedules of its own from after a backup',
      { schedulesRev: 2, schedulesConfirmedRev: 5 },
      { config: false, schedules: true }
    ]
  ])('of a board that lacks %s gets it them', (_what, revisions, behind) => {
    const { device, told, live } = setUp(revisions)
    expect(live()).toBe(true)
    expect(told).toEqual([{ 'device-behind': { deviceId: device.id, ...behind } }])
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
            update: { wifiRSSI: -60, lastSeen: lastSeen.toISOString() },
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

describe('what another instance heard', () => {
  const heard = { bootId: 'boot-0001', seq: 0, earlierBoots: [], at: 1_800_000_000_000 }

  it('of an earlier connection that has ended changes nothing, and the truth is stored and told again', () => {
    const { device, presence, stored, told, toPeers } = setUp()
    presence.adopt(device, { ...heard, isOnline: false, conn: 2 })
    expect([device.isOnline, stored.length, stored[0]?.isOnline, toPeers, told]).toEqual([true, 1, true, [true], []])
  })

  it('counts as a sign of life', () => {
    const { clock, device, presence } = setUp()
    clock.advance(deviceSilenceMs)
    presence.adopt(device, { ...heard, isOnline: true, conn: 3, at: clock.now() })
    expect(device.lastMessageAt).toBe(clock.now())
    clock.advance(deviceSilenceMs)
    presence.sweep(0)
    expect(device.isOnline).toBe(true)
    clock.advance(1)
    presence.sweep(0)
    expect(device.isOnline).toBe(false)
  })

  it('becomes the state here, and is stored again only where a write of this instance may have crossed it', () => {
    const { clock, device, presence, stored, told } = setUp({ onlineChangedAt: heard.at - 5000 })
    presence.adopt(device, { ...heard, isOnline: false, conn: 3 })
    const at = new Date(heard.at).toISOString()
    const changed = (isOnline: boolean, when = at) => ({
      'device-changed': {
        deviceId: device.id,
        deviceMac: device.mac,
        update: { isOnline, lastSeen: when, onlineChangedAt: when },
        at: Date.parse(when)
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
      [{ 'device-online': { deviceId, deviceMac, userId, status } }, changed(true, new Date(clock.now()).toISOString())]
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
    presence.adopt(device, { ...boot, isOnline: true, conn: 2 })
    live({ online: false, bootId: 'boot-0002', conn: 1 })
    expect([device.isOnline, device.conn]).toEqual([true, 2])
  })
})
