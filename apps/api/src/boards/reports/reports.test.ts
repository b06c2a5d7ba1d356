import type { AckPayload, ChangeCause } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino, type Logger } from 'pino'
import { describe, expect, it } from 'vitest'
import { createEventBus } from '../../platform/events.ts'
import { causeOfRow, type ActionLogDocument } from './action-log.model.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { aLiveDevice, fourOutlets } from '../../testing/live-device.ts'
import type { DeviceFields } from '../registry/state-updates.ts'
import { createReports } from './reports.ts'
import type { ReportNotice } from './report-notice.ts'
import { createDedupWindow } from './dedup-window.ts'

const silent = pino({ level: 'silent' })
const sita: ChangeCause = { by: 'user', userId: '65b000000000000000000001', userName: 'Sita', from: 'web' }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Reports on a database that stores when the test says so. */
function setUp(
  options: {
    log?: Logger
    hasRoom?: boolean
    rowsLeft?: number
    elsewhere?: Promise<ChangeCause>
    isLogged?: boolean | (() => Promise<boolean | undefined>)
    /** When a late report was overtaken, as the log says. */
    overtakenAt?: number
    /** A command of another instance that can be reached. */
    sentBy?: string
    awayUntil?: number
    upSince?: number
    /** How long a caller has waited for the answer to its command. */
    tookMs?: number
  } = {}
) {
  const { log = silent, isLogged = false } = options
  const rows: ActionLogDocument[] = []
  const acks: AckPayload[] = []
  const notices: ReportNotice[] = []
  const shown: { seq: number; isOn: boolean | undefined }[] = []
  const settled: (string | undefined)[] = []
  const repeated: object[] = []
  const handedOver: unknown[] = []
  const toPeers: object[] = []
  const states: object[] = []
  const keep =
    (when: 'now' | 'later') =>
    (_id: string, change: (earlier: DeviceFields | undefined) => DeviceFields): void => {
      const { _id: _, ...fields } = change({ _id: new Types.ObjectId(), wifiRSSI: -40 })
      states.push({ [when]: fields })
    }
  const events = createEventBus(log)
  const told: object[] = []
  for (const name of ['device-changed', 'device-booted', 'schedule-reported'] as const)
    events.on(name, (event) => void told.push({ [name]: event }))
  let release: (() => void)[] = []
  const clock = createFakeClock(1_700_000_000_000)
  let rowsLeft = options.rowsLeft ?? Infinity
  const reports = createReports({
    clock,
    awayUntil: () => options.awayUntil ?? Infinity,
    upSince: () => options.upSince ?? -Infinity,
    mayLog: (_deviceId, count) => (rowsLeft -= count) >= 0,
    store: {
      addLog: (row) => void rows.push(row),
      setState: keep('now'),
      setStateLater: keep('later'),
      gathered: () => new Promise((resolve) => release.push(resolve)),
      stored: () => new Promise((resolve) => release.push(resolve)),
      rowId: () => new Types.ObjectId(),
      findLogged: undefined,
      isHealthy: () => true,
      placeInLog: async () => {
        const found = typeof isLogged === 'function' ? await isLogged() : isLogged
        return found === undefined ? undefined : { isLogged: found, overtakenAt: options.overtakenAt }
      },
      hasRoom: () => options.hasRoom ?? true
    },
    commands: {
      tookMsOf: () => options.tookMs ?? null,
      keepCause: () => undefined,
      causeOf: (_deviceId, commandId) => (commandId === 'c-1' ? sita : undefined),
      repeatOf: (_deviceId, { commandId, result }) =>
        result === 'expired' ? () => void repeated.push({ commandId, acknowledged: acks.length }) : null,
      settle: (_deviceId, { commandId }) => void settled.push(commandId)
    },
    recent: createDedupWindow(),
    peers: {
      report: (_device, { report: { seq }, isLate }) => void toPeers.push({ seq, isLate }),
      explained: (_deviceId, indexes) => void toPeers.push({ explained: indexes }),
      handOver(_deviceId, answer) {
        if (answer.commandId !== options.sentBy) return false
        handedOver.push(answer)
        return true
      }
    },
    findCause: (_deviceId, commandId) =>
      options.elsewhere ?? Promise.resolve(commandId === 'sent-elsewhere' ? sita : undefined),
    events,
    metrics: createMetrics(),
    log,
    ack: (_deviceId, payload) => void acks.push(payload),
    notify(device, report) {
      notices.push(report)
      shown.push({ seq: device.seq, isOn: device.outlets[0]?.on })
    }
  })
  const store = async (): Promise<void> => {
    for (const resolve of release) resolve()
    release = []
    await turn()
  }
  const allow = (count: number): void => void (rowsLeft = count)
  return {
    takeReport: reports.take,
    reports,
    clock,
    allow,
    handedOver,
    rows,
    acks,
    notices,
    shown,
    settled,
    repeated,
    told,
    toPeers,
    states,
    store
  }
}

const report = (fields: object = {}) => ({
  bootId: 'boot-0001',
  seq: 1,
  switch: [true, false, false, false],
  speed: [0, 0, 0, 0],
  cause: 'command',
  commandId: 'c-1',
  result: 'applied',
  ...fields
})

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

  it('that reverses a missing one is logged after the missing one', () => {
    const { takeReport, rows } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    const off = { cause: 'button', commandId: undefined, changed: [0], switch: [false, false, false, false] }
    takeReport(device, report({ ...off, seq: 3 }))
    takeReport(device, report({ ...off, seq: 2, switch: [true, false, false, false] }))
    expect(rows.map(({ state }) => state)).toEqual([false, true])
    const [last] = rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    expect(last?.state).toBe(false)
  })

  it('that arrives in the same millisecond as others is logged after those before it', () => {
    const { takeReport, rows, clock } = setUp()
    const device = aLiveDevice()
    const press = (seq: number): boolean =>
      takeReport(device, report({ seq, cause: 'button', switch: [seq % 2 === 1, false, false, false], changed: [0] }))
    for (const seq of [1, 2, 3]) press(seq)
    const now = clock.now()
    expect(rows.map(({ report: by, createdAt }) => [by?.seq, createdAt.getTime() - now])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2]
    ])
    clock.step(-3_600_000)
    press(4)
    expect(rows.at(-1)?.createdAt.getTime()).toBe(now - 3_600_000)
  })

  it('that comes after one that it precedes, and after newer ones, does not stand behind it in the log', () => {
    const { takeReport, clock, rows } = setUp()
    const device = aLiveDevice()
    const press = (seq: number, switches: boolean[], index: number): void => {
      const [a = false, b = false] = switches
      const shown = { seq, changed: [index], switch: [a, b, false, false] }
      takeReport(device, report({ cause: 'button', commandId: undefined, ...shown }))
      clock.advance(1000)
    }
    press(1, [false, false], 1)
    press(4, [false, true], 1)
    press(3, [false, false], 0)
    press(5, [false, false], 1)
    press(2, [true, false], 0)
    const byTime = rows.toSorted((x, y) => x.createdAt.getTime() - y.createdAt.getTime())
    expect(byTime.map((row) => row.report?.seq)).toEqual([1, 2, 3, 4, 5])
  })

  it('that is a resync and overtook a press shares one row with it, with the cause of the press', async () => {
    const { takeReport, reports, clock, rows, acks, store } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    await store()
    const on = { commandId: undefined, result: undefined, switch: [true, false, false, false] }
    takeReport(device, report({ ...on, seq: 3, cause: 'resync' }))
    takeReport(device, report({ ...on, seq: 3, cause: 'resync' }))
    await store()
    expect([rows.length, acks.length]).toEqual([0, 1])
    takeReport(device, report({ ...on, seq: 2, cause: 'button', changed: [0] }))
    expect(rows.map(({ cause }) => cause?.by)).toEqual(['button'])
    await store()
    expect(acks.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([1, 2, 3])
    clock.advance(60_000)
    reports.sweep()
    expect(rows).toHaveLength(1)
  })

  it('that is a resync without an explanation is logged as it was found, after a while', () => {
    const { takeReport, reports, clock, rows } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    takeReport(device, report({ seq: 5, cause: 'resync', commandId: undefined }))
    reports.sweep()
    expect(rows).toEqual([])
    clock.advance(8000)
    reports.sweep()
    expect(rows.map(({ cause }) => cause?.by)).toEqual(['unknown'])
  })

  it('that comes as soon as the api is back waits for the rows of those that the board repeats last', () => {
    const { takeReport, reports, clock, rows, states } = setUp({ upSince: 0 })
    const device = aLiveDevice()
    const press = (seq: number, index: number): void =>
      void takeReport(
        device,
        report({ seq, commandId: undefined, cause: 'button', changed: [index], switch: [true, true, false, false] })
      )
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    press(3, 1)
    // In the database, not only in the log: its row for the first outlet is still held back.
    expect(states.at(-1)).toMatchObject({ now: { switch: [true, true, false, false], seq: 3 } })
    clock.advance(31_000)
    reports.sweep()
    press(2, 0)
    clock.advance(60_000)
    reports.sweep()
    expect(rows.map(({ switchIndex, cause }) => [switchIndex, cause?.by])).toEqual([
      [1, 'button'],
      [0, 'button']
    ])
  })

  it('that is a resync without an explanation is logged as it was found, also after a newer report of that outlet', () => {
    const { takeReport, reports, clock, rows } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    takeReport(device, report({ seq: 5, cause: 'resync', commandId: undefined }))
    const off = { commandId: undefined, cause: 'button', changed: [0], switch: [false, false, false, false] }
    takeReport(device, report({ ...off, seq: 6 }))
    clock.advance(8000)
    reports.sweep()
    expect(rows.map(({ cause, state }) => [cause?.by, state])).toEqual([
      ['button', false],
      ['unknown', true]
    ])
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

  it('that was held back when its board was removed for good is not logged', () => {
    const { takeReport, reports, clock, rows } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    takeReport(device, report({ seq: 5, cause: 'resync', commandId: undefined }))
    reports.forget(device.id)
    clock.advance(8000)
    reports.sweep()
    expect(rows).toEqual([])
  })

  it('that is malformed is not repeated: the resync behind it waits for nothing', () => {
    const { takeReport, rows } = setUp()
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
    expect(takeReport(device, report({ seq: 5, switch: 'all' }))).toBe(false)
    expect(takeReport(device, report({ seq: 6, switch: [true] }))).toBe(false)
    takeReport(device, report({ seq: 7, cause: 'resync', commandId: undefined, result: undefined }))
    expect(rows).toHaveLength(1)
    const other = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
    takeReport(other, report({ seq: 6, switch: 'all' }))
    takeReport(other, report({ seq: 7, cause: 'resync', commandId: undefined, result: undefined }))
    expect(rows).toHaveLength(1)
  })

  it('after a gap leaves outlets that it does not name to the missing one, with the cause of that', async () => {
    const { takeReport, reports, clock, rows, acks, store } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    const press = { cause: 'button', commandId: undefined, result: undefined }
    takeReport(device, report({ ...press, seq: 3, changed: [1], switch: [true, true, false, false] }))
    takeReport(device, report({ ...press, seq: 2, changed: [0], switch: [true, false, false, false] }))
    clock.advance(60_000)
    reports.sweep()
    expect(rows.map(({ switchIndex, cause }) => [switchIndex, cause?.by])).toEqual([
      [1, 'button'],
      [0, 'button']
    ])
    await store()
    expect(acks.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([1, 2, 3])
  })

  it('after a gap that nothing fills is logged completely: other outlets as they were found, after a while', () => {
    const { takeReport, reports, clock, rows } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ changed: [], switch: [false, false, false, false] }))
    takeReport(device, report({ seq: 3, changed: [1], switch: [true, true, false, false] }))
    takeReport(device, report({ seq: 9, changed: [1], switch: [true, false, true, false] }))
    clock.advance(8000)
    reports.sweep()
    expect(rows.map(({ switchIndex, state, cause, commandId }) => [switchIndex, state, cause?.by, commandId])).toEqual([
      [1, true, 'user', 'c-1'],
      [1, false, 'user', 'c-1'],
      [0, true, 'unknown', null],
      [2, true, 'unknown', null]
    ])
    expect(rows.map((row) => row.report)).toEqual([3, 9, 3, 9].map((seq) => ({ bootId: 'boot-0001', seq })))
  })

  it("after a gap needs room in its board's row limit for all outlets, named or not", async () => {
    const { takeReport, reports, clock, allow, rows, acks, store } = setUp({ rowsLeft: 1 })
    const device = aLiveDevice()
    const late = report({ seq: 3, changed: [1], switch: [true, true, false, false] })
    takeReport(device, late)
    await store()
    expect([rows, acks]).toEqual([[], []])
    allow(2)
    takeReport(device, late)
    await turn()
    await store()
    clock.advance(32_000)
    reports.sweep()
    expect([rows.map(({ switchIndex }) => switchIndex), acks.map(({ seq }) => seq)]).toEqual([[1, 0], [3]])
  })

  it("without named outlets and beyond a board's row limit logs them when it is repeated", async () => {
    const { takeReport, allow, rows, acks, store } = setUp({ rowsLeft: 0 })
    const device = aLiveDevice()
    takeReport(device, report({ changed: undefined, switch: [true, true, false, false] }))
    allow(10)
    takeReport(device, report({ changed: undefined, switch: [true, true, false, false] }))
    await turn()
    await store()
    expect([rows.map(({ switchIndex }) => switchIndex), acks.length]).toEqual([[0, 1], 1])
  })

  it("beyond a board's row limit is shown, and not acknowledged, so that it is repeated", async () => {
    const { takeReport, allow, rows, notices, acks, store } = setUp({ rowsLeft: 0 })
    const device = aLiveDevice()
    takeReport(device, report({ changed: [0] }))
    await store()
    expect([notices.length, rows.length, acks.length]).toEqual([1, 0, 0])
    allow(10)
    takeReport(device, report({ changed: [0] }))
    await turn()
    await store()
    expect([notices.length, rows.length, acks.length]).toEqual([1, 1, 1])
  })

  it("beyond a board's row limit is logged in its order once it is repeated, after newer ones", async () => {
    const { takeReport, clock, allow, rows } = setUp({ rowsLeft: 1 })
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 0 })
    const press = (seq: number): unknown => takeReport(device, report({ seq, cause: 'button', changed: [0] }))
    for (const seq of [1, 2, 3]) {
      press(seq)
      clock.advance(100)
    }
    allow(10)
    for (const seq of [4, 5]) {
      press(seq)
      clock.advance(100)
    }
    press(2)
    press(3)
    await turn()
    const inOrder = rows.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    expect(inOrder.map((row) => row.report?.seq)).toEqual([1, 2, 3, 4, 5])
  })

  it('that is left to be repeated, by whatever limit, still explains changes that others found before', async () => {
    const { takeReport, reports, clock, rows, allow } = setUp()
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 0 })
    const base = { cause: 'button', commandId: undefined, switch: [true, true, false, false] }
    const press = async (seq: number, index: number): Promise<void> => {
      takeReport(device, report({ ...base, seq, changed: [index] }))
      await turn()
    }
    await press(2, 1)
    clock.advance(7000)
    reports.noteDeferred(device.id)
    clock.advance(31_000)
    reports.sweep()
    allow(0)
    await press(1, 0)
    clock.advance(31_000)
    reports.sweep()
    allow(1)
    await press(1, 0)
    clock.advance(60_000)
    reports.sweep()
    expect(rows.map((row) => [row.report?.seq, row.switchIndex])).toEqual([
      [2, 1],
      [1, 0]
    ])
  })

  it('that is looked up for long still explains changes that others found before', async () => {
    const looked = Promise.withResolvers<boolean>()
    const { takeReport, reports, clock, rows } = setUp({ isLogged: () => looked.promise })
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 0 })
    const base = { cause: 'button', commandId: undefined, switch: [true, true, false, false] }
    takeReport(device, report({ ...base, seq: 2, changed: [1] }))
    for (let repeats = 0; repeats < 3; repeats += 1) {
      takeReport(device, report({ ...base, changed: [0] }))
      clock.advance(30_000)
      reports.sweep()
    }
    looked.resolve(false)
    await turn()
    clock.advance(60_000)
    reports.sweep()
    expect(rows.map((row) => [row.report?.seq, row.switchIndex])).toEqual([
      [2, 1],
      [1, 0]
    ])
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

  it('repeated while the cause of the first is looked up is not acknowledged before its row is stored', async () => {
    const elsewhere = Promise.withResolvers<ChangeCause>()
    const { takeReport, rows, acks, store } = setUp({ elsewhere: elsewhere.promise })
    const device = aLiveDevice()
    for (let times = 0; times < 2; times += 1)
      expect(takeReport(device, report({ commandId: 'sent-elsewhere', changed: [0] }))).toBe(true)
    await store()
    expect([rows.length, acks.length]).toEqual([0, 0])
    elsewhere.resolve(sita)
    await turn()
    expect([rows.length, acks.length]).toEqual([1, 0])
    await store()
    expect(acks).toHaveLength(2)
  })

  it("repeated while the cause of the first is looked up is not acknowledged if its row exceeds the board's limit", async () => {
    const elsewhere = Promise.withResolvers<ChangeCause>()
    const { takeReport, rows, acks, store } = setUp({ elsewhere: elsewhere.promise, rowsLeft: 0 })
    const device = aLiveDevice()
    for (let times = 0; times < 2; times += 1) takeReport(device, report({ commandId: 'sent-elsewhere', changed: [0] }))
    elsewhere.resolve(sita)
    await turn()
    await store()
    expect([rows, acks]).toEqual([[], []])
  })

  it.each([
    [true, 'is acknowledged, and not logged again'],
    [false, 'is logged']
  ])('from before this process started that is logged already: %j; it %s', async (isLogged) => {
    const { takeReport, rows, acks, store } = setUp({ isLogged })
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 5 })
    for (let times = 0; times < 2; times += 1) takeReport(device, report({ seq: 4, changed: [0] }))
    await turn()
    await store()
    expect([rows.length, acks.length]).toEqual([isLogged ? 0 : 1, 2])
    // A repeated report is not an invalid one; too many invalid reports end the connection.
    expect(takeReport(device, report({ seq: 4, changed: [0] }))).toBe(true)
    await turn()
    await store()
    expect([rows.length, acks.length]).toEqual([isLogged ? 0 : 1, 3])
  })

  it('from before this process started is dated between the logged ones around it', async () => {
    const { takeReport, rows } = setUp({ overtakenAt: 1_699_999_990_000 })
    takeReport(aLiveDevice({ bootId: 'boot-0001', seq: 9 }), report({ seq: 4, cause: 'button', changed: [0] }))
    await turn()
    expect(rows.map(({ createdAt }) => createdAt.getTime())).toEqual([1_699_999_990_000])
  })

  it('that another instance took, but did not store, is dated between the logged ones around it', async () => {
    const { takeReport, rows } = setUp({ overtakenAt: 1_699_999_990_000 })
    const device = aLiveDevice()
    takeReport(device, report({ seq: 1, cause: 'button', changed: [0] }))
    // The other instance has told what it took.
    device.seq = 2
    for (const seq of [3, 2]) takeReport(device, report({ seq, cause: 'button', changed: [0] }))
    await turn()
    expect(rows.map((row) => [row.report?.seq, row.createdAt.getTime()])).toEqual([
      [1, 1_700_000_000_000],
      [3, expect.any(Number)],
      [2, 1_699_999_990_000]
    ])
  })

  it('that came long ago, or is new but late by many others, is not looked up', async () => {
    const { takeReport, rows, acks, store } = setUp({ isLogged: () => Promise.reject(new Error('it was looked up')) })
    const device = aLiveDevice()
    for (const seq of [1, 300, 2, 1]) takeReport(device, report({ seq, cause: 'button', changed: [0] }))
    await turn()
    await store()
    expect(rows.map((row) => row.report?.seq)).toEqual([1, 300, 2])
    expect(acks.map(({ seq }) => seq)).toEqual([1, 300, 2, 1])
  })

  it('is logged once, although an older one of long ago was repeated before its own repetition', async () => {
    const { takeReport, rows, acks, store } = setUp({ isLogged: true })
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 69 })
    for (const seq of [70, 70 - 64, 70]) {
      takeReport(device, report({ seq, cause: 'button', changed: [0] }))
      await turn()
      await store()
    }
    expect(rows.map((row) => row.report?.seq)).toEqual([70])
    expect(acks.map(({ seq }) => seq)).toEqual([70, 6, 70])
  })

  it('that is late, like others before, is looked up each time, although the first was logged', async () => {
    const { takeReport, rows, acks, store } = setUp({ isLogged: true })
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 5 })
    for (const seq of [3, 4]) {
      takeReport(device, report({ seq, cause: 'button', changed: [0] }))
      await turn()
      await store()
    }
    expect(rows).toEqual([])
    expect(acks.map(({ seq }) => seq)).toEqual([3, 4])
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

  it('for a command of another instance is shown and logged with the cause that the instance stored', async () => {
    const { takeReport, notices, rows } = setUp()
    takeReport(aLiveDevice(), report({ commandId: 'sent-elsewhere' }))
    await turn()
    expect(notices).toMatchObject([{ cause: sita, commandId: 'sent-elsewhere' }])
    expect(rows.map(causeOfRow)).toEqual([sita])
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

  it('for such a command is handled here while its cause is looked up, and by no other instance', async () => {
    const elsewhere = Promise.withResolvers<ChangeCause>()
    const { takeReport, reports } = setUp({ elsewhere: elsewhere.promise })
    const device = aLiveDevice()
    const wasTaken = (seq: number): boolean => reports.wasTaken(device.id, { bootId: 'boot-0001', seq })
    takeReport(device, report({ commandId: 'sent-elsewhere' }))
    expect([wasTaken(1), wasTaken(2)]).toEqual([true, false])
    elsewhere.resolve(sita)
    await turn()
    expect([wasTaken(1), wasTaken(2)]).toEqual([true, false])
  })

  it("for such a command, beyond the board's row limit, is logged and acknowledged when it is repeated", async () => {
    const { takeReport, rows, acks, allow, store } = setUp({ rowsLeft: 0 })
    const device = aLiveDevice()
    for (const room of [0, 1]) {
      allow(room)
      takeReport(device, report({ commandId: 'sent-elsewhere' }))
      await turn()
      await store()
      expect([rows.length, acks.length]).toEqual([room, room])
    }
  })

  it('for such a command is recorded without its cause if the database cannot be read', async () => {
    const { takeReport, rows, acks, store } = setUp({ elsewhere: Promise.reject(new Error('no database')) })
    takeReport(aLiveDevice({ bootId: 'boot-0001', seq: 4 }), report({ seq: 5, commandId: 'sent-elsewhere' }))
    await turn()
    await store()
    expect(rows.map(({ cause, switchIndex }) => [cause?.by, switchIndex])).toEqual([['unknown', 0]])
    expect(acks.map(({ seq }) => seq)).toEqual([5])
  })

  it('that is late is neither logged nor acknowledged while the log cannot be read, but when it comes again', async () => {
    const isLogged = [undefined, false]
    const { takeReport, rows, acks, store } = setUp({ isLogged: () => Promise.resolve(isLogged.shift()) })
    const device = aLiveDevice({ bootId: 'boot-0001', seq: 4 })
    for (const logged of [[], [1]]) {
      takeReport(device, report({ seq: 3, changed: [1], commandId: undefined, cause: 'button' }))
      await turn()
      await store()
      expect(rows.map(({ switchIndex }) => switchIndex)).toEqual(logged)
      expect(acks.length).toBe(logged.length)
    }
  })

  it.each([
    ['late', { cause: 'button', commandId: undefined }],
    ['for such a command', { commandId: 'sent-elsewhere' }]
  ])('%s waits for its repetition while 200 of the account are looked up; others do not', async (_kind, fields) => {
    const isLogged = Promise.withResolvers<boolean>()
    const { takeReport, rows, acks, store } = setUp({ isLogged: () => isLogged.promise })
    const flooding = aLiveDevice({ bootId: 'boot-0001', seq: 1000 })
    for (let seq = 1; seq <= 200; seq += 1)
      takeReport(flooding, report({ seq, cause: 'button', commandId: undefined, changed: [0] }))

    const own = aLiveDevice({ id: '65a000000000000000000002', bootId: 'boot-0002', seq: 4 })
    const foreign = aLiveDevice({ ...own, id: '65a000000000000000000003', userId: '65b000000000000000000002' })
    const late = report({ bootId: 'boot-0002', seq: fields.commandId === undefined ? 4 : 5, changed: [0], ...fields })
    for (const device of [own, foreign]) expect(takeReport(device, late)).toBe(true)
    expect([own.seq, foreign.seq]).toEqual([4, late.seq])
    isLogged.resolve(false)
    await turn()
    await store()
    const loggedOf = ({ id }: { id: string }) => rows.filter(({ deviceId }) => String(deviceId) === id).length
    expect([flooding, own, foreign].map(loggedOf)).toEqual([200, 0, 1])
    expect(acks).toHaveLength(201)

    takeReport(own, late)
    await turn()
    await store()
    expect([loggedOf(own), acks.length]).toEqual([1, 202])
  })

  it('for such a command is applied at once, and shown unchanged although another one came meanwhile', async () => {
    let found = (_cause: ChangeCause): void => undefined
    const { takeReport, shown, acks, store } = setUp({ elsewhere: new Promise((resolve) => (found = resolve)) })
    const device = aLiveDevice()
    takeReport(device, report({ commandId: 'sent-elsewhere' }))
    expect([device.outlets[0]?.on, device.seq]).toEqual([true, 1])
    takeReport(device, report({ seq: 2, cause: 'button', switch: [false, false, false, false] }))
    await store()
    expect(acks.map(({ seq }) => seq)).toEqual([2])
    found(sita)
    await turn()
    await store()
    expect(acks.map(({ seq }) => seq)).toEqual([2, 1])
    expect(shown).toEqual([
      { seq: 2, isOn: false },
      { seq: 1, isOn: true }
    ])
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

  it("of a change while the board was disconnected has the board's time, within limits", () => {
    const { takeReport, clock, rows } = setUp()
    const device = aLiveDevice()
    takeReport(device, report({ cause: 'schedule', occurredAt: 1_699_999_000_000 }))
    clock.advance(1000)
    takeReport(device, report({ seq: 2, switch: [false, false, false, false], occurredAt: 1_800_000_000_000 }))
    expect(rows.map(({ createdAt }) => createdAt.getTime())).toEqual([1_699_999_000_000, 1_700_000_001_000])
  })

  it('of a change while the board was connected has the time of its arrival, within the difference of clocks', () => {
    const { takeReport, clock, rows } = setUp({ awayUntil: 1_699_999_000_000 })
    const device = aLiveDevice()
    takeReport(device, report({ occurredAt: 1_699_999_030_000 }))
    clock.advance(1000)
    takeReport(device, report({ seq: 2, switch: [false, false, false, false], occurredAt: 1_699_999_500_000 }))
    expect(rows.map(({ createdAt }) => createdAt.getTime())).toEqual([1_699_999_030_000, 1_700_000_001_000])
  })
})
