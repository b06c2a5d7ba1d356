import { describe, expect, test } from 'vitest'
import { drive } from '../../test/drive-device.ts'
import { nextWakeAt } from './device.ts'

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
