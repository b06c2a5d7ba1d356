import type { ChangeCause } from '@batti/contracts'
import { describe, expect, it } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { report, setUp, sita, turn } from '../../testing/reports-by-hand.ts'
import { causeOfRow } from './action-log.model.ts'

describe('a report', () => {
  it('for a command of another instance is shown and logged with the cause that the instance stored', async () => {
    const { takeReport, notices, rows } = setUp()
    takeReport(aLiveDevice(), report({ commandId: 'sent-elsewhere' }))
    await turn()
    expect(notices).toMatchObject([{ cause: sita, commandId: 'sent-elsewhere' }])
    expect(rows.map(causeOfRow)).toEqual([sita])
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

  it('for such a command is recorded without its cause if the database cannot be read', async () => {
    const { takeReport, rows, acks, store } = setUp({ elsewhere: Promise.reject(new Error('no database')) })
    takeReport(aLiveDevice({ bootId: 'boot-0001', seq: 4 }), report({ seq: 5, commandId: 'sent-elsewhere' }))
    await turn()
    await store()
    expect(rows.map(({ cause, switchIndex }) => [cause?.by, switchIndex])).toEqual([['unknown', 0]])
    expect(acks.map(({ seq }) => seq)).toEqual([5])
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
})
