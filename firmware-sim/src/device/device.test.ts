import { deviceReport, deviceStatus } from '@batti/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drive, serverAhead, wallFan } from '../../test/drive-device.ts'
import type { DeviceEffect } from './device-state.ts'
import { farewell, nextWakeAt } from './device.ts'

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
    // One that is not acknowledged yet tells the whole state to the next connection, too.
    board.run({ kind: 'disconnected', heardAt: board.now() })
    expect(board.reports(board.connect()).map(({ seq }) => seq)).toEqual([2])
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
