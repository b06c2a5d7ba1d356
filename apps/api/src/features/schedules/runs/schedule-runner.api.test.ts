import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../platform/people/actor.ts'
import { setsSentTo, startSchedules } from '../../../testing/schedules-by-hand.ts'
import type { AddedDevice } from '../../../testing/test-api.ts'

const { app, startAt, newHome, schedule, occurrences, states, logs, runAt, find } = await startSchedules()
afterAll(() => app.stop())

let sita: Actor
let device: AddedDevice
beforeEach(async () => {
  ;({ sita, device } = await newHome())
})

describe('a schedule on time', () => {
  test('switches on at its start and off at its end; each is logged with the report that confirmed it', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:14:59Z')
    expect(device.board.commands).toEqual([])
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
    await runAt('2026-11-20T16:15:01Z')
    await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
    expect(await logs()).toEqual(['change schedule: Switch 2 turned OFF', 'change schedule: Switch 2 turned ON'])
    const { data } = await app.call('GET', '/switch-action-logs', sita)
    expect(data.logs[0].cause).toEqual({ by: 'schedule', from: 'schedule', scheduleId: id })
    expect((await find(id)).nextRunAt).toBe('2026-11-21T12:15:00.000Z')
    expect(app.notices).toEqual([])
  })
  test('that changes nothing is confirmed and not logged', async () => {
    device.board.state = [false, true, false, false]
    device.board.report({})
    await schedule()
    const before = await logs()
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect(await logs()).toEqual(before)
  })
  test('that runs once is inactive after its end', async () => {
    const id = await schedule()
    await runAt('2026-11-20T12:15:00Z')
    expect(await find(id)).toMatchObject({ isActive: true })
    await runAt('2026-11-20T16:15:00Z')
    expect(await find(id)).toMatchObject({ isActive: false, nextRunAt: null })
    await runAt('2026-11-21T12:15:00Z')
    expect(device.board.commands).toHaveLength(2)
  })
  test('that repeats is inactive after its end date', async () => {
    const id = await schedule({ repeatType: 'daily', endDate: '2026-11-20' })
    await runAt('2026-11-20T12:15:00Z')
    await runAt('2026-11-20T16:15:00Z')
    expect(await find(id)).toMatchObject({ isActive: false, nextRunAt: null })
  })
  test('that is inactive does not fire', async () => {
    await app.call('PATCH', `/schedules/toggle/${await schedule()}`, sita)
    await runAt('2026-11-20T12:15:00Z')
    expect(device.board.commands).toEqual([])
  })
  test('fires although the clock was hours ahead when the server started', async () => {
    startAt('2026-11-20T18:14:00Z')
    device = await app.device(sita)
    app.clock.step(-6 * 3_600_000)
    await schedule({}, device)
    app.clock.advance(31_000)
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
  })
  test('fires once, however often the runner checks', async () => {
    await schedule()
    for (let second = 0; second < 5; second += 1) await runAt(`2026-11-20T12:15:0${second}Z`)
    expect(device.board.commands).toHaveLength(1)
  })
  test('that starts when another ends: the switch gets one command', async () => {
    await schedule({ startTime: '17:30', endTime: '18:00', repeatType: 'daily' })
    await app.connection.collection('schedules').updateOne(
      {},
      {
        $set: {
          next: {
            phase: 'end',
            date: '2026-11-20',
            runDate: '2026-11-20',
            at: new Date('2026-11-20T12:15:00Z'),
            isShifted: false
          },
          nextRunAt: new Date('2026-11-20T12:15:00Z')
        }
      }
    )
    await schedule({ startTime: '18:00', endTime: '19:00' })
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(async () => (await states()).toSorted()).toEqual(['end superseded', 'start confirmed'])
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }]])
  })
})

describe('an edit during a run', () => {
  test('keeps the end, at its new time', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    app.clock.set('2026-11-20T14:00:00Z')
    expect((await app.call('PATCH', `/schedules/${id}`, sita, { endTime: '20:00' })).data.nextRunAt).toBe(
      '2026-11-20T14:15:00.000Z'
    )
    await runAt('2026-11-20T14:15:00Z')
    expect(setsSentTo(device).at(-1)).toEqual([{ index: 1, on: false }])
  })
  test('to a later start on the same day makes it fire again', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/${id}`, sita, { startTime: '18:30' })
    await runAt('2026-11-20T12:45:00Z')
    expect(device.board.commands).toHaveLength(2)
  })
})

describe('an edit at the very minute', () => {
  /** Another instance has claimed and fired the start, and has not updated the plan yet. */
  const startIsFired = (id: string) =>
    app.connection.collection<{ _id: string }>('scheduleOccurrences').insertOne({ _id: `${id}:start:2026-11-20` })

  test.each([
    ['daily', { repeatType: 'daily' }],
    ['once', {}]
  ])('is too late for a start that is being fired: its end is kept, at the new time (%s)', async (_what, fields) => {
    const id = await schedule(fields)
    app.clock.set('2026-11-20T12:15:00Z')
    await startIsFired(id)
    const { data } = await app.call('PATCH', `/schedules/${id}`, sita, { endTime: '20:00' })
    expect(data.nextRunAt).toBe('2026-11-20T14:15:00.000Z')
    await runAt('2026-11-20T14:15:00Z')
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: false }]])
  })
  test('of a start that no instance fires leaves no end behind', async () => {
    const id = await schedule({ repeatType: 'daily' })
    app.clock.set('2026-11-20T12:15:00Z')
    const { data } = await app.call('PATCH', `/schedules/${id}`, sita, { endTime: '20:00' })
    expect(data.nextRunAt).toBe('2026-11-21T12:15:00.000Z')
  })
})

describe('deleted before it is due', () => {
  test('an account: nothing fires and nothing of it is left', async () => {
    await schedule()
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    app.clock.set('2026-11-20T16:14:55Z')
    await app.accounts.eraseHomeOf(sita.userId)
    await runAt('2026-11-20T16:15:00Z')
    expect(device.board.commands).toHaveLength(1)
    expect(await occurrences()).toEqual([])
    expect(await app.connection.collection('schedules').countDocuments({})).toBe(0)
  })
  test('a board whose schedule was already claimed: skipped', async () => {
    await schedule()
    app.broker.down()
    await runAt('2026-11-20T12:15:00Z')
    await app.call('DELETE', `/devices/${device.id}`, sita)
    app.broker.up()
    await runAt('2026-11-20T12:15:10Z')
    expect(await states()).toEqual(['start skipped'])
    expect(device.board.commands).toEqual([])
  })
  test.each([
    ['deleted', (id: string) => app.call('DELETE', `/schedules/${id}`, sita)],
    ['switched off', (id: string) => app.call('PATCH', `/schedules/toggle/${id}`, sita)],
    ['switched off in its form', (id: string) => app.call('PATCH', `/schedules/${id}`, sita, { isActive: false })],
    [
      'given to another switch',
      (id: string) => app.call('PATCH', `/schedules/${id}`, sita, { switchId: device.switchIds[2], switchIndex: 2 })
    ]
  ])('a schedule that is %s while it waits for the broker does not fire', async (_how, change) => {
    const id = await schedule({ repeatType: 'daily' })
    app.broker.down()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start firing'])
    expect((await change(id)).success).toBe(true)
    app.clock.set('2026-11-20T12:15:10Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T12:15:12Z')
    expect(await states()).toEqual(['start skipped'])
    expect(device.board.commands).toEqual([])
  })
  test('a schedule that is switched off while its command is on its way has run, for the board executes it', async () => {
    const id = await schedule({ repeatType: 'daily' })
    device.board.isMute = true
    await runAt('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/toggle/${id}`, sita)
    const commandId = device.board.commands[0]?.id ?? ''
    device.board.state = [false, true, false, false]
    device.board.report({ cause: 'command', commandId, result: 'applied', changed: [1] })
    await expect.poll(states).toEqual(['start confirmed'])
    expect(await logs()).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test('a schedule that is switched off when it is due: another of the switch fires in its place', async () => {
    await schedule()
    const newer = await schedule()
    app.clock.set('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/toggle/${newer}`, sita)
    await runAt('2026-11-20T12:15:01Z')
    await expect.poll(states).toEqual(['start confirmed', 'start superseded'])
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }]])
  })
  test('a schedule that is changed when it is due: its old time is superseded', async () => {
    const id = await schedule()
    app.clock.set('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/${id}`, sita, { startTime: '19:00' })
    await runAt('2026-11-20T12:15:01Z')
    expect(await states()).toEqual(['start superseded'])
    expect(device.board.commands).toEqual([])
  })
})
