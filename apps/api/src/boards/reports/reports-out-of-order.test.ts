import { describe, expect, it } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { report, setUp, turn } from '../../testing/reports-by-hand.ts'

describe('a report', () => {
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
