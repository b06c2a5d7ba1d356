import {
  deviceReport,
  deviceStatus,
  outletsFromWire,
  statesToWire,
  type DeviceReport,
  type SwitchUpdatePayload
} from '@batti/contracts'
import { rootCertificates } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyConfig, type DeviceEffect, type DeviceEvent, type DeviceSeed, type DeviceState } from './device-state.ts'
import { farewell, nextWakeAt, powerOn, step } from './device.ts'

/** Two switches, a fan and a socket, all off. */
function wallFan(speed: number[]) {
  return outletsFromWire({ switch: [false, false, false, false], speed, fanIndexes: [2], socketIndexes: [3] })
}

const seed: DeviceSeed = {
  outlets: wallFan([0, 0, 120, 0]),
  bootId: 'boot-0001',
  osVersion: '1.4.0',
  localIp: '192.168.1.7',
  rssi: -58,
  config: { ...emptyConfig, rev: 3 },
  timetable: null,
  rememberedOffset: null,
  firmwareOutcome: null
}

/** The server's clock is ahead of the board's by this much. */
const serverAhead = 5_000_000

/** Drives one device and collects its messages. */
function drive(overrides: Partial<DeviceSeed> = {}) {
  let now = 1000
  let state: DeviceState = powerOn({ ...seed, ...overrides }, now)
  const effects: DeviceEffect[] = []
  const run = (event: DeviceEvent): readonly DeviceEffect[] => {
    const done = step(state, event, now)
    state = done.state
    effects.push(...done.effects)
    return done.effects
  }
  const payloads = (from: readonly DeviceEffect[], topic: string): unknown[] =>
    from.flatMap((effect) => (effect.kind === 'publish' && effect.topic === topic ? [effect.payload] : []))
  return {
    run,
    state: () => state,
    states: () => statesToWire(state.outlets),
    now: () => now,
    later(ms: number) {
      now += ms
      return run({ kind: 'tick' })
    },
    connect() {
      run({ kind: 'connecting' })
      return run({ kind: 'connected', jitter: 0.5 })
    },
    command: (command: Partial<SwitchUpdatePayload>) =>
      run({
        kind: 'received',
        topic: 'switch-update',
        payload: { id: 'c1', set: [{ index: 0, on: true }], expiresAt: now + serverAhead + 4000, ...command }
      }),
    ack: (seq: number) =>
      run({ kind: 'received', topic: 'ack', payload: { bootId: state.bootId, seq, serverTime: now + serverAhead } }),
    reports: (from: readonly DeviceEffect[] = effects) => payloads(from, 'update-from-device') as DeviceReport[],
    statuses: (from: readonly DeviceEffect[] = effects) => payloads(from, 'status')
  }
}

describe('after connecting', () => {
  test('status is sent first, then the boot report with everything about the board', () => {
    const board = drive()
    const said = board.connect()
    expect(said.map((effect) => (effect.kind === 'publish' ? effect.topic : effect.kind))).toEqual([
      'status',
      'update-from-device'
    ])
    expect(board.statuses()[0]).toEqual({ online: true, bootId: 'boot-0001', conn: 1, rssi: -58, uptimeS: 0 })
    expect(board.reports()[0]).toMatchObject({
      seq: 1,
      cause: 'boot',
      osVersion: '1.4.0',
      localIp: '192.168.1.7',
      configRev: 3
    })
  })

  test('a later connection of the same boot continues the count and reports resync', () => {
    const board = drive()
    board.connect()
    board.ack(1)
    board.run({ kind: 'disconnected', heardAt: board.now() })
    const said = board.connect()
    expect(board.statuses(said)[0]).toMatchObject({ conn: 2 })
    expect(board.reports(said)[0]).toMatchObject({ seq: 2, cause: 'resync' })
    expect(farewell(board.state())).toEqual({ online: false, bootId: 'boot-0001', conn: 2 })
  })

  test('an attempt that failed half-way still uses up its number, so that its will cannot end the next connection', () => {
    const board = drive()
    board.run({ kind: 'connecting' })
    board.run({ kind: 'disconnected', heardAt: board.now() })
    board.connect()
    expect(board.statuses()[0]).toMatchObject({ conn: 2 })
  })

  test('the heartbeat is sent every minute, plus or minus ten seconds', () => {
    for (const jitter of [0, 0.5, 1]) {
      const board = drive()
      board.run({ kind: 'connecting' })
      board.run({ kind: 'connected', jitter })
      board.ack(1)
      const wait = nextWakeAt(board.state()) - board.now()
      expect(wait).toBe(50_000 + jitter * 20_000)
      expect(board.statuses(board.later(wait - 1))).toEqual([])
      expect(board.statuses(board.later(1))).toHaveLength(1)
    }
  })
})

describe('a report', () => {
  test('is repeated after 1, 2, 4 ... 30 s until it is acknowledged', () => {
    const board = drive()
    board.connect()
    const waits: number[] = []
    for (let repeat = 0; repeat < 7; repeat += 1) {
      const before = board.now()
      while (board.reports(board.later(500)).length === 0);
      waits.push((board.now() - before) / 1000)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
    board.ack(1)
    expect(board.reports(board.later(120_000))).toEqual([])
  })

  test('is repeated in its own time, however long an older one still waits for its next try', () => {
    const board = drive()
    board.connect()
    board.later(1000)
    board.later(2000)
    board.run({ kind: 'pressed', index: 0 })
    expect(nextWakeAt(board.state()) - board.now()).toBe(1000)
    expect(board.reports(board.later(1000)).map(({ seq }) => seq)).toEqual([2])
  })

  test('is not removed by an acknowledgement for another boot or another report', () => {
    const board = drive()
    board.connect()
    board.run({ kind: 'received', topic: 'ack', payload: { bootId: 'boot-0000', seq: 1, serverTime: 5 } })
    board.ack(2)
    expect(board.reports(board.later(1000))).toHaveLength(1)
  })

  test('acknowledged as the first of its boot marks the server as reached; no other does', () => {
    const board = drive()
    board.connect()
    expect(board.ack(1)).toEqual([{ kind: 'server-reached' }, { kind: 'persist', urgent: false }])
    board.run({ kind: 'pressed', index: 0 })
    expect(board.ack(2)).toEqual([])
  })

  test('is not sent again once the server has rejected its shape', () => {
    const board = drive()
    board.connect()
    board.run({
      kind: 'received',
      topic: 'ack',
      payload: { bootId: 'boot-0001', seq: 1, serverTime: 5, rejected: 'no' }
    })
    expect(board.reports(board.later(60_000))).toEqual([])
  })

  test('of a press without a connection waits, and is sent in order with the next one', () => {
    const board = drive()
    board.run({ kind: 'pressed', index: 1 })
    board.run({ kind: 'pressed', index: 0 })
    expect(board.reports()).toEqual([])
    board.connect()
    expect(board.reports().map(({ seq, cause }) => [seq, cause])).toEqual([
      [1, 'boot'],
      [2, 'button'],
      [3, 'button']
    ])
    expect(board.reports()[2]).toMatchObject({ switch: [true, true, false, false], changed: [0] })
  })

  test('is dropped when 64 newer ones wait, oldest first, and a resync reports the loss', () => {
    const board = drive()
    for (let press = 0; press < 70; press += 1) board.run({ kind: 'pressed', index: 0 })
    expect(board.state().reports.pending).toHaveLength(64)
    const seqs = board.reports(board.connect()).map(({ seq }) => seq)
    expect(seqs).toEqual([...Array(64).keys()].map((at) => 9 + at))
    expect(board.reports().at(-1)).toMatchObject({ seq: 72, cause: 'resync', reason: '8 reports were dropped' })
  })

  test('dropped while connected is reported as lost once there is room again', () => {
    const board = drive()
    board.connect()
    for (let press = 0; press < 64; press += 1) board.run({ kind: 'pressed', index: 0 })
    expect(board.reports().some(({ cause }) => cause === 'resync')).toBe(false)
    board.ack(2)
    expect(board.reports().at(-1)).toMatchObject({ cause: 'resync', reason: '1 report was dropped' })
  })

  test('that was lost with others is reported once, and no later resync reports a loss', () => {
    const board = drive()
    for (let press = 0; press < 70; press += 1) board.run({ kind: 'pressed', index: 0 })
    board.connect()
    for (let seq = 9; seq <= 72; seq += 1) board.ack(seq)
    board.run({ kind: 'disconnected', heardAt: board.now() })
    board.run({ kind: 'connecting' })
    const [resync] = board.reports(board.run({ kind: 'connected', jitter: 0.5 }))
    expect(resync).toMatchObject({ seq: 73, cause: 'resync' })
    expect(resync).not.toHaveProperty('reason')
  })

  test('that was repeated for long is sent at once on a new connection, and a second later again', () => {
    const board = drive()
    board.connect()
    for (const ms of [1000, 2000, 4000]) board.later(ms)
    board.run({ kind: 'disconnected', heardAt: board.now() })
    board.run({ kind: 'connecting' })
    const seqsOf = (effects: readonly DeviceEffect[]) => board.reports(effects).map(({ seq }) => seq)
    expect(seqsOf(board.run({ kind: 'connected', jitter: 0.5 }))).toEqual([1])
    expect(seqsOf(board.later(999))).toEqual([])
    expect(seqsOf(board.later(1))).toEqual([1])
  })

  test('of a press contains its time on the server’s clock, once that is known', () => {
    const board = drive()
    board.connect()
    board.run({ kind: 'pressed', index: 0 })
    expect(board.reports().at(-1)).not.toHaveProperty('occurredAt')
    board.ack(1)
    board.run({ kind: 'pressed', index: 0 })
    expect(board.reports().at(-1)?.occurredAt).toBe(board.now() + serverAhead)
  })
})

describe('a command', () => {
  test('that has expired on the server’s clock is answered expired and changes nothing', () => {
    const board = drive()
    board.connect()
    board.ack(1)
    board.command({ expiresAt: board.now() + serverAhead - 1 })
    expect(board.reports().at(-1)).toMatchObject({
      commandId: 'c1',
      result: 'expired',
      switch: [false, false, false, false],
      changed: []
    })
  })

  test('is accepted again once an acknowledgement has shown that the server’s clock was set back', () => {
    const board = drive()
    board.connect()
    for (let seq = 1; seq <= 8; seq += 1) {
      board.ack(seq)
      board.run({ kind: 'pressed', index: 1 })
    }
    const setBack = { expiresAt: board.now() + 4000 }
    board.command(setBack)
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
    const { bootId } = board.state()
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, seq: 9, serverTime: board.now() } })
    board.command({ id: 'c2', ...setBack })
    expect(board.reports().at(-1)).toMatchObject({ commandId: 'c2', result: 'applied' })
  })

  test('is taken when it comes again after one acknowledgement, where the server’s clock was set back by a few seconds only', () => {
    const board = drive()
    board.connect()
    for (let seq = 1; seq <= 8; seq += 1) {
      board.ack(seq)
      board.run({ kind: 'pressed', index: 1 })
    }
    const serverTime = board.now() + serverAhead - 7000
    board.command({ expiresAt: serverTime + 4000 })
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
    const { bootId } = board.state()
    board.later(300)
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, seq: 9, serverTime } })
    board.command({ expiresAt: serverTime + 4000 })
    expect(board.reports().at(-1)).toMatchObject({ commandId: 'c1', result: 'applied' })
  })

  test('is compared with the fastest acknowledgement: a slow one says less about the server’s clock', () => {
    const board = drive()
    board.connect()
    board.ack(1)
    board.run({ kind: 'pressed', index: 1 })
    const { bootId } = board.state()
    const serverTime = board.now() + serverAhead
    board.later(9000)
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, seq: 2, serverTime } })
    board.command({ expiresAt: board.now() + serverAhead - 1 })
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
  })

  test.each([
    ['an earlier report', { seq: 2 }],
    ['a report of an earlier boot', { bootId: 'boot-0000', seq: 3 }]
  ])('is judged by the same clock after a slow acknowledgement of %s', (_what, named) => {
    const board = drive()
    board.connect()
    board.ack(1)
    board.run({ kind: 'pressed', index: 1 })
    const serverTime = board.now() + serverAhead + 1000
    board.later(5000)
    board.run({ kind: 'pressed', index: 1 })
    const { bootId } = board.state()
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, serverTime, ...named } })
    board.command({ expiresAt: board.now() + serverAhead - 1 })
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
  })

  test('counts as fresh until the first acknowledgement has shown the time, also with a remembered clock', () => {
    const board = drive({ rememberedOffset: serverAhead })
    board.connect()
    board.command({ expiresAt: 1 })
    expect(board.reports().at(-1)).toMatchObject({
      result: 'applied',
      switch: [true, false, false, false],
      changed: [0]
    })
  })

  test('is all or nothing: one impossible setting rejects it whole', () => {
    const cases = [
      {
        set: [
          { index: 0, on: true },
          { index: 9, on: true }
        ],
        reason: 'this board has no outlet 9'
      },
      {
        set: [
          { index: 0, on: true },
          { index: 1, speed: 10 }
        ],
        reason: 'outlet 1 is a switch and has no speed'
      },
      { set: [{ index: 0, on: true }, { index: 1 }], reason: 'nothing to set at outlet 1' }
    ]
    for (const { set, reason } of cases) {
      const board = drive()
      board.connect()
      board.command({ set })
      expect(board.reports().at(-1)).toMatchObject({ result: 'rejected', reason, switch: [false, false, false, false] })
    }
  })

  test('sets a fan’s switch and speed independently', () => {
    const board = drive()
    board.connect()
    board.command({ set: [{ index: 2, speed: 200 }] })
    expect(board.states()).toEqual({ switch: [false, false, false, false], speed: [0, 0, 200, 0] })
    board.command({ id: 'c2', set: [{ index: 2, on: true, speed: 0 }] })
    expect(board.reports().at(-1)).toMatchObject({
      switch: [false, false, true, false],
      speed: [0, 0, 0, 0],
      changed: [2]
    })
  })

  test('that changes something is stored soon; one that changes nothing is not written to flash', () => {
    const board = drive()
    board.connect()
    const kept = (on: boolean, id: string) =>
      board.command({ id, set: [{ index: 0, on }] }).filter(({ kind }) => kind === 'persist')
    expect(kept(true, 'c1')).toEqual([{ kind: 'persist', urgent: false }])
    expect(kept(true, 'c2')).toEqual([])
    expect(kept(false, 'c3')).toEqual([{ kind: 'persist', urgent: false }])
  })

  test('received a second time gets the same answer and is not applied again', () => {
    const board = drive()
    board.connect()
    board.command({})
    board.run({ kind: 'pressed', index: 0 })
    board.command({})
    expect(board.reports().at(-1)).toMatchObject({
      commandId: 'c1',
      result: 'applied',
      switch: [false, false, false, false],
      changed: []
    })
  })

  test('with a wrong shape is ignored', () => {
    const board = drive()
    board.connect()
    for (const payload of [
      null,
      'on',
      {},
      { id: 'c1' },
      { id: 'c1', set: [{ index: 0, on: 'yes' }], expiresAt: 1 },
      { id: 'c1', set: [{ index: 2, speed: 256 }], expiresAt: 1 }
    ]) {
      expect(board.run({ kind: 'received', topic: 'switch-update', payload })).toMatchObject([
        { kind: 'ignored', topic: 'switch-update' }
      ])
    }
    expect(board.reports()).toHaveLength(1)
  })
})

test('a button starts a fan that never ran at a default speed, and keeps any other speed', () => {
  const board = drive({ outlets: wallFan([0, 0, 0, 0]) })
  board.run({ kind: 'pressed', index: 2 })
  expect(board.states()).toEqual({ switch: [false, false, true, false], speed: [0, 0, 120, 0] })
  board.run({ kind: 'turned', index: 2, speed: 60 })
  board.run({ kind: 'pressed', index: 2 })
  board.run({ kind: 'pressed', index: 2 })
  expect(board.states()).toEqual({ switch: [false, false, true, false], speed: [0, 0, 60, 0] })
})

test('a press that nobody waits for is stored soon, not at once, to spare the flash', () => {
  expect(drive().run({ kind: 'pressed', index: 0 })).toEqual([{ kind: 'persist', urgent: false }])
})

test('the knob switches its fan on above zero, off at zero, and keeps the last speed above zero', () => {
  const board = drive()
  board.run({ kind: 'turned', index: 2, speed: 90 })
  expect(board.states()).toMatchObject({ switch: [false, false, true, false], speed: [0, 0, 90, 0] })
  board.run({ kind: 'turned', index: 2, speed: 0 })
  expect(board.states()).toMatchObject({ switch: [false, false, false, false], speed: [0, 0, 90, 0] })
  board.run({ kind: 'turned', index: 0, speed: 90 })
  expect(board.states().speed[0]).toBe(0)
})

describe('settings from the server', () => {
  const update = (board: ReturnType<typeof drive>, payload: object) =>
    board.run({ kind: 'received', topic: 'config-update', payload })

  test('are in flash before the board confirms their revision', () => {
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, activeColor: 'red', timezone: 'Europe/London' })
    expect(done.map(({ kind }) => kind)).toEqual(['persist', 'publish'])
    expect(done[0]).toEqual({ kind: 'persist', urgent: true })
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', configRev: 4 })
    expect(board.state().config).toMatchObject({ activeColor: 'red', timezone: 'Europe/London' })
  })

  test('older than the current ones change nothing, and are answered with the current revision', () => {
    const board = drive()
    board.connect()
    update(board, { rev: 2, activeColor: 'red' })
    expect(board.state().config.activeColor).toBe(seed.config.activeColor)
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', configRev: 3 })
  })

  test('of the current revision are taken: sent again, they may contain more', () => {
    const board = drive()
    board.connect()
    update(board, { rev: 4, timezone: 'Asia/Tokyo' })
    update(board, { rev: 4, timezone: 'Asia/Tokyo', activeColor: 'violet' })
    expect(board.state().config).toMatchObject({ rev: 4, timezone: 'Asia/Tokyo', activeColor: 'violet' })
  })

  test('with a new MQTT address move the connection, after the report has been sent over the old one', () => {
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, mqtt: { host: 'other.lan', port: 8883 } })
    expect(done.map(({ kind }) => kind)).toEqual(['persist', 'publish', 'reconnect'])
    expect(update(board, { rev: 5, mqtt: { host: 'other.lan', port: 8883 } }).map(({ kind }) => kind)).not.toContain(
      'reconnect'
    )
  })

  test.each<[string, object]>([
    ['host', { mqtt: { host: 'other.lan', port: 1 } }],
    ['port', { mqtt: { host: 'a.lan', port: 8883 } }],
    ['Wi-Fi', { wifi: { ssid: 'upstairs', password: 'secret 1' } }],
    ['password of the Wi-Fi', { wifi: { ssid: 'home', password: 'secret 2' } }]
  ])('move the connection also when only another %s is set', (_name, changes) => {
    const mqtt = { host: 'a.lan', port: 1 }
    const board = drive({ config: { ...seed.config, mqtt, wifi: { ssid: 'home', password: 'secret 1' } } })
    board.connect()
    expect(update(board, { rev: 4, ...changes }).map(({ kind }) => kind)).toContain('reconnect')
  })

  test('with another CA are stored and trusted from the next connection on, with or without an address', () => {
    const [caPem = ''] = rootCertificates
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, mqtt: { caPem } })
    expect(done[0]).toEqual({ kind: 'trust', caPem })
    expect(done.map(({ kind }) => kind)).toEqual(['trust', 'persist', 'publish'])
    expect(board.state().config.mqtt).toEqual(seed.config.mqtt)
    const moved = update(board, { rev: 5, mqtt: { host: 'other.lan', port: 8883, caPem } })
    expect(moved.map(({ kind }) => kind)).toEqual(['trust', 'persist', 'publish', 'reconnect'])
  })

  test('with an invalid CA are rejected, and nothing of them is stored', () => {
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, activeColor: 'red', mqtt: { caPem: 'no certificate' } })
    expect(done.map(({ kind }) => kind)).toEqual(['publish'])
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', result: 'rejected', configRev: 3 })
  })

  test('with an unknown time zone are rejected', () => {
    const board = drive()
    board.connect()
    update(board, { rev: 4, timezone: '../etc' })
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', result: 'rejected', configRev: 3 })
  })
})

describe('the timetable', () => {
  const id = `${'a'.repeat(24)}:start`
  const other = `${'b'.repeat(24)}:start`
  const atSix = { id, index: 3, on: true, time: '18:00', repeat: 'daily' as const }
  /** 2026-11-21 12:14:00 UTC, a minute before 18:00 in Kathmandu. */
  const before = Date.UTC(2026, 10, 21, 12, 14)
  const payload = {
    rev: 7,
    timezone: 'Asia/Kathmandu',
    entries: [atSix]
  }

  function scheduled() {
    const board = drive()
    board.connect()
    board.run({ kind: 'received', topic: 'schedules', payload })
    board.run({ kind: 'received', topic: 'ack', payload: { bootId: 'boot-0001', seq: 1, serverTime: before } })
    return board
  }

  const told = (board: ReturnType<typeof drive>, changes: Partial<typeof payload>) =>
    board.run({ kind: 'received', topic: 'schedules', payload: { ...payload, ...changes } })

  test('is in flash before the board confirms its revision', () => {
    const board = drive()
    board.connect()
    const done = told(board, {})
    expect(done.map(({ kind }) => kind)).toEqual(['persist', 'publish'])
    expect(done[0]).toEqual({ kind: 'persist', urgent: true })
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', schedulesRev: 7 })
  })

  test('older than the current one changes nothing, and is answered with the current revision', () => {
    const board = scheduled()
    const done = told(board, { rev: 6, entries: [] })
    expect(done.map(({ kind }) => kind)).not.toContain('persist')
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', schedulesRev: 7 })
    expect(board.state().timetable).toEqual(payload)
    told(board, { rev: 8, entries: [] })
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', schedulesRev: 8 })
    expect(board.state().timetable?.entries).toEqual([])
  })

  test('of the current revision is taken: sent again, it may contain more', () => {
    const board = scheduled()
    told(board, { entries: [] })
    expect(board.state().timetable?.entries).toEqual([])
  })

  test('with an unknown time zone is rejected, and the previous one stays', () => {
    const board = scheduled()
    told(board, { rev: 8, timezone: '../etc' })
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', result: 'rejected', schedulesRev: 7 })
    expect(board.state().timetable).toEqual(payload)
  })

  test('is run by the server while there is a connection', () => {
    const board = scheduled()
    board.later(120_000)
    expect(board.states().switch[3]).toBe(false)
    const back = scheduled()
    back.run({ kind: 'disconnected', heardAt: back.now() })
    back.connect()
    back.later(120_000)
    expect(back.states().switch[3]).toBe(false)
  })

  test('for an outlet that the board does not have switches and reports nothing', () => {
    const board = drive()
    board.connect()
    const entries = payload.entries.map((entry) => ({ ...entry, index: 4 }))
    board.run({ kind: 'received', topic: 'schedules', payload: { ...payload, entries } })
    board.run({ kind: 'received', topic: 'ack', payload: { bootId: 'boot-0001', seq: 1, serverTime: before } })
    board.run({ kind: 'disconnected', heardAt: board.now() })
    board.later(60_000)
    board.connect()
    expect(board.reports().filter(({ cause }) => cause === 'schedule')).toEqual([])
  })

  test('is run on time by a board that cannot reach its server, and reported when it is back', () => {
    const board = scheduled()
    board.run({ kind: 'disconnected', heardAt: board.now() })
    expect(nextWakeAt(board.state()) - board.now()).toBe(60_000)
    board.later(59_999)
    expect(board.states().switch[3]).toBe(false)
    board.later(1)
    expect(board.states().switch[3]).toBe(true)
    board.later(600_000)
    board.connect()
    const runs = board.reports().filter(({ cause }) => cause === 'schedule')
    expect(runs).toMatchObject([
      { scheduleId: id, occurredAt: before + 60_000, changed: [3], switch: [false, false, false, true] }
    ])
  })

  test('catches up on what was due between the last message of the server and noticing the loss', () => {
    const board = scheduled()
    const heardAt = board.now()
    board.later(90_000)
    board.run({ kind: 'disconnected', heardAt })
    board.later(0)
    expect(board.states().switch[3]).toBe(true)
  })

  test('catches up on no more than the two minutes in which a loss is noticed', () => {
    const board = scheduled()
    const heardAt = board.now()
    board.later(60_000 + 120_001)
    board.run({ kind: 'disconnected', heardAt })
    board.later(0)
    expect(board.states().switch[3]).toBe(false)
    const sooner = scheduled()
    sooner.later(60_000 + 119_000)
    sooner.run({ kind: 'disconnected', heardAt })
    sooner.later(0)
    expect(sooner.states().switch[3]).toBe(true)
  })

  test('runs once, however often the connection fails again while the server is away', () => {
    const board = scheduled()
    board.run({ kind: 'disconnected', heardAt: board.now() })
    board.later(60_000)
    board.run({ kind: 'pressed', index: 3 })
    board.run({ kind: 'connecting' })
    board.run({ kind: 'disconnected', heardAt: 1000 })
    board.later(1000)
    expect(board.states().switch[3]).toBe(false)
  })

  test('does not repeat what the server ran before the connection was lost', () => {
    const board = scheduled()
    told(board, { rev: 8, entries: [{ ...atSix, id: other, index: 0, time: '18:02' }, atSix] })
    board.later(90_000)
    board.run({ kind: 'disconnected', heardAt: board.now() })
    board.later(0)
    expect(board.states().switch).toEqual([false, false, false, false])
    board.later(90_000)
    expect(board.states().switch).toEqual([true, false, false, false])
  })

  test('runs after a power cut too, by the remembered clock, but does not catch up on the time without power', () => {
    const board = drive({
      timetable: payload,
      rememberedOffset: before - 1000
    })
    board.later(59_999)
    expect(board.states().switch[3]).toBe(false)
    board.later(1)
    expect(board.states().switch[3]).toBe(true)
    const late = drive({
      timetable: payload,
      rememberedOffset: before - 1000 + 61_000
    })
    late.later(600_000)
    expect(late.states().switch[3]).toBe(false)
  })
})

test('the result of a firmware update without a connection is reported with the next one', () => {
  const board = drive()
  const outcome = { id: 'f1', phase: 'failed', percent: 0, error: 'x' } as const
  expect(board.run({ kind: 'firmware', progress: outcome })).toEqual([{ kind: 'persist', urgent: true }])
  expect(board.connect()).toContainEqual({ kind: 'publish', topic: 'firmware-progress', payload: outcome })
  board.run({ kind: 'disconnected', heardAt: board.now() })
  expect(board.connect()).not.toContainEqual({ kind: 'publish', topic: 'firmware-progress', payload: outcome })
})

/** Anything that can happen to a board, in any order. */
const happening = fc.oneof(
  fc.constant({ do: 'connect' as const }),
  fc.constant({ do: 'disconnect' as const }),
  fc.record({ do: fc.constant('press' as const), index: fc.nat(5) }),
  fc.record({ do: fc.constant('turn' as const), index: fc.nat(5), speed: fc.nat(255) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat(40_000) }),
  fc.record({ do: fc.constant('ack' as const), which: fc.nat(200) }),
  fc.record({
    do: fc.constant('command' as const),
    id: fc.nat(5),
    index: fc.nat(5),
    on: fc.boolean(),
    inMs: fc.integer({ min: -5000, max: 5000 })
  })
)

test('after any events: reports are complete, seq grows by one, every loss is reported, and no expired command is applied', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 150 }), (happenings) => {
      const board = drive()
      const acked = new Set<number>()
      let up = false
      let appliedLate = 0
      for (const what of happenings) {
        const before = board.state()
        if (what.do === 'connect' && !up) {
          board.connect()
          up = true
        } else if (what.do === 'disconnect' && up) {
          board.run({ kind: 'disconnected', heardAt: board.now() })
          up = false
        } else if (what.do === 'press') board.run({ kind: 'pressed', index: what.index })
        else if (what.do === 'turn') board.run({ kind: 'turned', index: what.index, speed: what.speed })
        else if (what.do === 'wait') board.later(what.ms)
        else if (what.do === 'ack' && up) {
          const sent = board.reports().map(({ seq }) => seq)
          const seq = sent[what.which % Math.max(sent.length, 1)]
          if (seq !== undefined) {
            board.ack(seq)
            acked.add(seq)
          }
        } else if (what.do === 'command' && up) {
          const knewTime = before.clock.samples.length > 0
          const expiresAt = Math.max(0, board.now() + serverAhead + what.inMs)
          board.command({ id: `c${what.id}`, set: [{ index: what.index, on: what.on }], expiresAt })
          if (knewTime && what.inMs < 0 && board.state().outlets !== before.outlets) appliedLate += 1
        }
      }
      expect(appliedLate).toBe(0)
      const sent = board.reports()
      for (const report of sent) expect(deviceReport.safeParse(report).success).toBe(true)
      for (const status of board.statuses()) expect(deviceStatus.safeParse(status).success).toBe(true)
      // Reports with the same number are always equal.
      const bySeq = new Map(sent.map((report) => [report.seq, JSON.stringify(report)]))
      expect(new Set(sent.map((report) => JSON.stringify(report))).size).toBe(bySeq.size)
      // Each number up to the last is acknowledged, pending, or counted as dropped.
      const { pending, nextSeq, dropped } = board.state().reports
      const waiting = new Set(pending.map(({ report }) => report.seq))
      const missing = [...Array(nextSeq - 1).keys()]
        .map((at) => at + 1)
        .filter((seq) => !acked.has(seq) && !waiting.has(seq))
      const confessed = [...sent, ...pending.map(({ report }) => report)]
        .filter((report, at, all) => all.findIndex(({ seq }) => seq === report.seq) === at)
        .reduce(
          (sum, { reason }) => sum + Number(/^(\d+) reports? (was|were) dropped$/.exec(reason ?? '')?.[1] ?? 0),
          0
        )
      expect(missing.length).toBeLessThanOrEqual(dropped + confessed)
      expect(pending.length).toBeLessThanOrEqual(64)
      // After a long quiet connection, no report is pending.
      if (!up) board.connect()
      board.later(31_000)
      const said = new Set(board.reports().map(({ seq }) => seq))
      expect(board.state().reports.pending.filter(({ report }) => !said.has(report.seq))).toEqual([])
    }),
    { numRuns: 300 }
  )
})
