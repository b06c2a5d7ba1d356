import { describe, expect, it } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { report, setUp, turn } from '../../testing/reports-by-hand.ts'

describe('a report', () => {
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
})
