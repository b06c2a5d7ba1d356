import type { ChangeCause } from '@batti/contracts'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { aLiveDevice, fourOutlets } from '../../testing/live-device.ts'
import { report, setUp, sita, turn } from '../../testing/reports-by-hand.ts'
import { causeOfRow } from './action-log.model.ts'

describe('a report that answers a command of the previous owner', () => {
  it('names nobody to the new owner, while staff who help appear by name', async () => {
    const { takeReport, notices, rows } = setUp()
    takeReport(aLiveDevice({ userId: '65b000000000000000000002' }), report())
    expect(notices[0]?.cause).toEqual({ by: 'unknown', from: 'web' })
    expect(rows.map(causeOfRow)).toEqual([{ by: 'unknown', from: 'web' }])
    const helper: ChangeCause = { by: 'user', userId: '65b000000000000000000009', userName: 'Maya', from: 'admin' }
    const staff = setUp({ elsewhere: Promise.resolve(helper) })
    staff.takeReport(aLiveDevice(), report({ commandId: 'c-2' }))
    await turn()
    expect(staff.rows.map(causeOfRow)).toEqual([helper])
  })
})

describe('a report', () => {
  it('reaches the screens at once, and is acknowledged only when it is stored', async () => {
    const { takeReport, notices, acks, store } = setUp()
    expect(takeReport(aLiveDevice(), report())).toBe(true)
    expect(notices).toMatchObject([
      { changed: [{ index: 0, kind: 'switch', on: true }], cause: sita, commandId: 'c-1' }
    ])
    await turn()
    expect(acks).toEqual([])
    await store()
    expect(acks).toEqual([{ bootId: 'boot-0001', seq: 1, serverTime: 1_700_000_000_000 }])
  })

  it('that finds a command expired for now answers it to nobody: it is repeated after the acknowledgement', async () => {
    const { takeReport, notices, settled, repeated, store } = setUp()
    takeReport(aLiveDevice(), report({ result: 'expired', switch: [false, false, false, false], changed: [] }))
    expect([notices.map(({ commandId }) => commandId), settled, repeated]).toEqual([[undefined], [undefined], []])
    await store()
    expect(repeated).toEqual([{ commandId: 'c-1', acknowledged: 1 }])
  })

  it('creates one row for each switch that changed, with its cause, in one sentence', () => {
    const { takeReport, rows } = setUp()
    const device = aLiveDevice()
    device.outlets = device.outlets.map((outlet, index) => (index === 0 ? { ...outlet, name: 'Kitchen lamp' } : outlet))
    takeReport(device, report({ switch: [true, true, false, false] }))
    expect(rows.map(({ description }) => description)).toEqual(['Kitchen lamp turned ON', 'Switch 2 turned ON'])
    expect(rows[0]).toMatchObject({
      userId: new Types.ObjectId(device.userId ?? ''),
      from: 'web',
      userName: 'Sita',
      switchId: new Types.ObjectId('65c000000000000000000000'),
      switchIndex: 0,
      switchName: 'Kitchen lamp',
      state: true,
      speed: 0,
      report: { bootId: 'boot-0001', seq: 1 }
    })
  })

  it('tells the signal, address and version that it brings, and nothing when it brings none', () => {
    const { takeReport, clock, told } = setUp()
    const device = aLiveDevice({ wifiRSSI: -40 })
    takeReport(device, report())
    expect([device.wifiRSSI, told]).toEqual([-40, []])
    clock.advance(1000)
    takeReport(device, report({ seq: 2, rssi: -71, localIp: '192.168.1.9', osVersion: '1.5.0' }))
    expect(device.wifiRSSI).toBe(-71)
    expect(told).toEqual([
      {
        'device-changed': {
          deviceId: device.id,
          deviceMac: device.mac,
          update: { wifiRSSI: -71, localIp: '192.168.1.9', osVersion: '1.5.0' },
          at: clock.now()
        }
      }
    ])
  })

  it('tells an address and version once that the board says each time, and again after a boot', () => {
    const { takeReport, told } = setUp()
    const device = aLiveDevice({ osVersion: '1.4.0' })
    const says = (fields: object) => {
      takeReport(device, report({ localIp: '192.168.1.9', osVersion: '1.5.0', ...fields }))
      return told.splice(0)
    }
    const both = { localIp: '192.168.1.9', osVersion: '1.5.0' }
    expect(says({ seq: 1 })).toMatchObject([{ 'device-changed': { update: both } }])
    expect(says({ seq: 2 })).toEqual([])
    const [only] = says({ seq: 3, osVersion: '1.6.0' })
    expect(only).toHaveProperty('device-changed.update', { osVersion: '1.6.0' })
    const [changed] = says({ seq: 1, bootId: 'boot-0002', cause: 'boot', osVersion: '1.6.0' })
    expect(changed).toHaveProperty('device-changed.update', { ...both, osVersion: '1.6.0' })
  })

  it('of a boot, or of a schedule that the board ran, is told to whoever waits for it', () => {
    const { takeReport, clock, told } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ cause: 'boot' }))
    clock.advance(1000)
    const scheduleId = '65d000000000000000000000:start'
    takeReport(device, report({ seq: 2, cause: 'schedule', scheduleId }))
    takeReport(device, report({ seq: 3, cause: 'button', scheduleId: '65d000000000000000000000:end' }))
    expect(told).toEqual([
      { 'device-booted': { deviceId: device.id, bootId: 'boot-0001' } },
      { 'schedule-reported': { deviceId: device.id, entryId: scheduleId, occurredAt: 1_700_000_001_000 } }
    ])
  })

  it('that changes nothing confirms, and is not logged', () => {
    const { takeReport, rows, notices, settled } = setUp()
    takeReport(aLiveDevice({ outlets: fourOutlets({ switch: [true, false, false, false] }) }), report())
    expect(rows).toEqual([])
    expect(notices).toMatchObject([{ changed: [], commandId: 'c-1' }])
    expect(settled).toEqual(['c-1'])
  })

  it('received twice is shown and logged once, and acknowledged twice', async () => {
    const { takeReport, rows, notices, acks, store } = setUp()
    const device = aLiveDevice()
    for (let times = 0; times < 2; times += 1) expect(takeReport(device, report({ changed: [0] }))).toBe(true)
    await turn()
    expect(acks).toEqual([])
    await store()
    expect([rows.length, notices.length, acks.length]).toEqual([1, 1, 2])
  })

  it('is passed on to other instances, and so are the outlets that a late one explains', async () => {
    const { takeReport, toPeers } = setUp()
    const device = aLiveDevice()
    takeReport(device, report())
    takeReport(device, report({ seq: 3, commandId: undefined, cause: 'button', changed: [1] }))
    takeReport(device, report({ seq: 2, commandId: undefined, cause: 'button', changed: [] }))
    takeReport(device, report({ seq: 2, bootId: 'boot-0002', commandId: undefined, cause: 'button', changed: [2] }))
    takeReport(device, report({ seq: 4, commandId: undefined, cause: 'button', changed: [0] }))
    await turn()
    expect(toPeers).toEqual([...[1, 3, 2].map((seq) => ({ seq, isLate: false })), { explained: [0] }])
    const waited = setUp({ tookMs: 120 })
    const board = aLiveDevice({ bootId: 'boot-0002', seq: 5, earlierBoots: ['boot-0001'] })
    for (const [bootId, seq] of [
      ['boot-0002', 4],
      ['boot-0001', 6]
    ])
      waited.takeReport(board, report({ bootId, seq, changed: [0] }))
    // Those who are sent the report itself take the outlets from it.
    expect(waited.toPeers).toEqual([4, 6].map((seq) => ({ seq, isLate: true })))
  })

  it('is stored with the whole state: a change by itself later, because it is in the log, and what it brings now', () => {
    const { takeReport, clock, states } = setUp()
    const device = aLiveDevice({ bootId: 'boot-0000', seq: 9, configConfirmedRev: 2, schedulesConfirmedRev: 3 })
    const base = { speed: [0, 0, 0, 0], bootId: 'boot-0001', earlierBoots: ['boot-0000'], schedulesConfirmedRev: 3 }
    const known = () => ({
      ...base,
      switch: [true, false, false, false],
      stateAt: clock.now(),
      lastSeen: new Date(clock.now())
    })
    takeReport(device, report())
    expect(states).toEqual([{ later: { ...known(), seq: 1, configConfirmedRev: 2, wifiRSSI: -40 } }])
    clock.advance(1000)
    takeReport(device, report({ seq: 2, configRev: 4 }))
    expect(states[1]).toEqual({ now: { ...known(), seq: 2, configConfirmedRev: 4, wifiRSSI: -40 } })
    clock.advance(1000)
    takeReport(device, report({ seq: 3, osVersion: '2.0.0', rssi: -60, localIp: '10.0.0.7' }))
    const brought = { osVersion: '2.0.0', osBootId: 'boot-0001', localIp: '10.0.0.7', wifiRSSI: -60 }
    expect(states[2]).toEqual({ now: { ...known(), seq: 3, configConfirmedRev: 4, ...brought } })
  })

  it('that is malformed counts for its own boot only', () => {
    const { takeReport } = setUp()
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
    takeReport(device, report({ bootId: 'boot-0002', seq: 5, switch: 'all' }))
    expect(device).toMatchObject({ bootId: 'boot-0001', seq: 4 })
  })

  it('of a schedule that the board ran names the run, and the level of a fan, in its row', () => {
    const { takeReport, rows } = setUp()
    const scheduleId = '65d000000000000000000000:start'
    const outlets = fourOutlets({ fanIndexes: [0] })
    takeReport(aLiveDevice({ outlets }), report({ cause: 'schedule', scheduleId, speed: [120, 0, 0, 0] }))
    takeReport(aLiveDevice({ userId: null }), report({ cause: 'button', scheduleId, commandId: undefined }))
    const cause = { by: 'schedule', scheduleId: '65d000000000000000000000' }
    expect(rows).toMatchObject([{ occurrence: scheduleId, speed: 120, cause }, { userId: null }])
    expect(rows[1]).not.toHaveProperty('occurrence')
  })

  it.each([
    ['button', { by: 'button', from: 'board' }],
    ['boot', { by: 'power', from: 'board' }],
    ['schedule', { by: 'schedule', from: 'schedule', scheduleId: '65d000000000000000000000' }],
    ['command', { by: 'unknown', from: 'board' }]
  ])('caused by %s says so', async (cause, expected) => {
    const { takeReport, notices } = setUp()
    takeReport(
      aLiveDevice(),
      report({ cause, commandId: 'somebody-elses', scheduleId: '65d000000000000000000000:start' })
    )
    await turn()
    expect(notices[0]?.cause).toEqual(expected)
  })

  it('for a command of a reachable instance is forwarded unchanged, and not applied here', async () => {
    const { takeReport, handedOver, notices, rows, acks } = setUp({ sentBy: 'sent-elsewhere' })
    const device = aLiveDevice()
    // The sender of the command checks whether it is valid.
    const answers = [report({ commandId: 'sent-elsewhere' }), report({ commandId: 'sent-elsewhere', switch: 'on' })]
    expect(answers.map((answer) => takeReport(device, answer))).toEqual([true, true])
    await turn()
    expect(handedOver).toEqual(answers)
    expect([notices, rows, acks]).toEqual([[], [], []])
    expect(device.seq).toBe(0)
    // It reads its own answers, and reports that are no answers, itself.
    takeReport(device, report())
    takeReport(device, report({ seq: 2, cause: 'button', commandId: 'sent-elsewhere' }))
    expect(handedOver).toHaveLength(2)
    expect(notices).toHaveLength(2)
  })

  it('for a command that a caller waits for is told, although a newer one has set the state already', () => {
    const { takeReport, notices, rows, settled } = setUp({ tookMs: 120 })
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 5 })
    const before = device.outlets
    takeReport(device, report({ seq: 4, changed: [0] }))
    expect(notices).toEqual([
      { changed: [{ index: 0, kind: 'switch', on: true }], cause: sita, commandId: 'c-1', at: 1_700_000_000_000 }
    ])
    expect(settled).toEqual(['c-1'])
    expect(rows.map(({ tookMs }) => tookMs)).toEqual([120])
    expect(device.outlets).toBe(before)
  })

  it.each([
    ['of the wrong length', { switch: [true], speed: [0] }],
    ['with a speed beyond 255', { speed: [0, 0, 0, 256] }],
    ['with lists of unlike length', { speed: [0] }],
    ['without a cause', { cause: undefined }]
  ])('%s is acknowledged as rejected, and changes nothing', (_what, fields) => {
    const { takeReport, acks, rows, notices } = setUp()
    const device = aLiveDevice()
    expect(takeReport(device, report(fields))).toBe(false)
    expect(acks).toMatchObject([{ bootId: 'boot-0001', seq: 1, rejected: expect.any(String) as string }])
    expect([rows, notices]).toEqual([[], []])
    expect(device.outlets).toEqual(aLiveDevice().outlets)
  })

  it('that is wrong is not logged each time, so that one board cannot displace the rest of the log', () => {
    const lines: string[] = []
    const { takeReport, acks, clock } = setUp({ log: pino({}, { write: (line: string) => void lines.push(line) }) })
    const device = aLiveDevice()
    const repeat = () => {
      for (let seq = 1; seq <= 100; seq += 1) takeReport(device, report({ seq, cause: 'magic' }))
    }
    repeat()
    expect([lines.length, acks.length]).toEqual([5, 100])
    expect(lines[0]).toContain('cause: Invalid option')
    clock.advance(60_000)
    repeat()
    expect(lines).toHaveLength(6)
  })

  it.each([undefined, null, 'x', 7, [], {}])('that is %j is dropped without an answer', (payload) => {
    const { takeReport, acks } = setUp()
    expect(takeReport(aLiveDevice(), payload)).toBe(false)
    expect(acks).toEqual([])
  })

  it('received while the database fails is neither applied nor acknowledged, so that the board repeats it', async () => {
    const { takeReport, acks, notices, store } = setUp({ hasRoom: false })
    const device = aLiveDevice()
    // The board is not to blame: its connection stays.
    expect(takeReport(device, report())).toBe(true)
    await store()
    expect([acks, notices, device.seq]).toEqual([[], [], 0])
  })
})
